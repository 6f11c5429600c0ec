// Elements from data. Text is always a text node: text from outside is never parsed as markup.

type Props = Record<string, string | number | boolean | ((event: Event) => void) | undefined>;
type Child = Node | string | undefined | false;

/** Returns an element: functions become listeners, `true` an empty attribute, `false` and `undefined` no attribute. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

export function button(text: string, click: () => void, props: Props = {}): HTMLButtonElement {
  return h("button", { type: "button", click, ...props }, text);
}

/** Returns the one element of the page with this id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}
