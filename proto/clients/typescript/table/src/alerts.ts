// Whose turn it is, told to somebody who looks elsewhere: the title and the icon of the page, a sound, a vibration, a notification.

import { set, setting } from "./keeper";
import { t } from "./words";

/** What a player may switch on or off. The sound and the notification are off until they are pressed once. */
export type Alert = "sound" | "vibration" | "notification";

const isOn = (alert: Alert): boolean => setting(alert) === "on" || (alert === "vibration" && setting(alert) === undefined);

/** Returns the alerts that this device can give, and whether each is on. */
export function alerts(): [Alert, boolean][] {
  const all: [Alert, boolean][] = [["sound", "AudioContext" in window], ["vibration", "vibrate" in navigator && navigator.maxTouchPoints > 0], ["notification", "Notification" in window && isSecureContext]];
  return all.filter(([, canBe]) => canBe).map(([alert]) => [alert, isOn(alert) && (alert !== "notification" || Notification.permission === "granted")]);
}

/** Switches an alert. What is switched on is given once, so that one knows it; a browser may refuse notifications. */
export async function switchAlert(alert: Alert, on: boolean): Promise<void> {
  if (on && alert === "notification" && (await Notification.requestPermission()) !== "granted") return;
  set(alert, on ? "on" : "off");
  if (on && alert === "sound") ring();
  if (on && alert === "vibration") navigator.vibrate(60);
}

let audio: AudioContext | undefined;

/** Sounds two soft notes. */
function ring(): void {
  audio ??= new AudioContext();
  void audio.resume();
  for (const [at, hertz] of [[0, 660], [0.14, 880]] as const) {
    const [tone, loudness, begins] = [audio.createOscillator(), audio.createGain(), audio.currentTime + at];
    tone.frequency.value = hertz;
    loudness.gain.setValueAtTime(0.16, begins);
    loudness.gain.exponentialRampToValueAtTime(0.001, begins + 0.32);
    tone.connect(loudness).connect(audio.destination);
    tone.start(begins);
    tone.stop(begins + 0.34);
  }
}

/** Shows in the title and the icon of the page whether it is the own turn. */
export function markTitle(title: string, isMine: boolean): void {
  document.title = isMine ? `● ${t("yourTurn")} · ${title}` : `${title} · Canasta`;
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  const href = isMine ? "/turn.svg" : "/favicon.svg";
  if (icon && icon.getAttribute("href") !== href) icon.setAttribute("href", href);
}

/** Tells that the own turn has begun, by what is switched on. `happened`: what has just happened. */
export function tellTurn(happened: string): void {
  // Before anybody has pressed anything, browsers allow neither sound nor vibration, and complain.
  if (navigator.userActivation?.hasBeenActive !== false) {
    if (isOn("sound")) ring();
    if (isOn("vibration") && navigator.maxTouchPoints > 0) navigator.vibrate?.(60);
  }
  if (document.hidden && isOn("notification") && Notification.permission === "granted") void notify(happened);
}

/** Notifies by the service worker, which phones demand, or else by the page. */
async function notify(happened: string): Promise<void> {
  const options = { body: happened, tag: "canasta", icon: "/icon.png" };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker?.active) return worker.showNotification(t("yourTurn"), options);
  const shown = new Notification(t("yourTurn"), options);
  shown.onclick = () => {
    window.focus();
    shown.close();
  };
}
