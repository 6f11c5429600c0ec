// The text of a rule where it is named: on hover, on focus, on tap. Escape closes it.

const tip = document.getElementById("tip");
let pinned = null;

function showTip(link) {
  const term = document.getElementById(link.hash.slice(1));
  if (!term) return;
  tip.replaceChildren(el("b", {}, term.textContent), el("p", {}, term.nextElementSibling.textContent));
  tip.hidden = false;
  link.setAttribute("aria-describedby", "tip");
  const place = link.getBoundingClientRect();
  const [width, height] = [tip.offsetWidth, tip.offsetHeight];
  const left = Math.max(8, Math.min(place.left, document.documentElement.clientWidth - width - 8));
  const below = place.bottom + 8 + height < innerHeight;
  tip.style.left = `${left}px`;
  tip.style.top = `${below ? place.bottom + 8 : Math.max(8, place.top - height - 8)}px`;
}

function hideTip() {
  tip.hidden = true;
  pinned = null;
  document.querySelector("[aria-describedby=tip]")?.removeAttribute("aria-describedby");
}

const ruleAt = (event) => event.target.closest?.("a.rule");

for (const over of ["pointerover", "focusin"]) {
  document.addEventListener(over, (event) => {
    if (ruleAt(event) && !pinned) showTip(ruleAt(event));
  });
}
for (const away of ["pointerout", "focusout"]) {
  document.addEventListener(away, (event) => {
    if (ruleAt(event) && !pinned) hideTip();
  });
}
document.addEventListener("click", (event) => {
  const link = ruleAt(event);
  if (!link) return tip.contains(event.target) ? undefined : hideTip();
  event.preventDefault();
  const again = pinned === link;
  hideTip();
  if (again) return;
  showTip(link);
  pinned = link;
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") hideTip();
});
addEventListener("scroll", () => !pinned || hideTip(), { passive: true });

start();
