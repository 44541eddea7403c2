// Notices of the club on this device, while no page is open (Web Push).

import * as api from "./api";
import { read, write } from "./settings.svelte";

/** The setting with the name of the account for which this device gets notices. */
const WHOSE = "notices";

export const canNotify = (): boolean => "serviceWorker" in navigator && "PushManager" in window && typeof Notification === "function";

const textOf = (key: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0)))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

async function send(key: string): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const one = (await pushManager.getSubscription()) ?? (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  await api.subscribe({ endpoint: one.endpoint, p256dh: textOf(one.getKey("p256dh")), auth: textOf(one.getKey("auth")), language: document.documentElement.lang });
}

const forget = async (): Promise<unknown> => (await (await navigator.serviceWorker.ready).pushManager.getSubscription())?.unsubscribe();

/** Whether this device gets notices for the user. A subscription ends with its session: if the user wants notices here, a new session gets one. */
export async function isOn(name: string): Promise<boolean> {
  const { key, on } = await api.notices();
  if (on || read(WHOSE) !== name) return on;
  await send(key);
  return true;
}

/** Subscribes a new session of the user, if the user wants notices on this device. */
export async function subscribeAgain(name: string | undefined): Promise<void> {
  if (name === undefined || read(WHOSE) !== name) return;
  // Without an answer of the club or the browser, the page of settings tries again.
  await isOn(name).catch(() => false);
}

/** Asks for permission. Returns false if the user refuses it. */
export async function switchOn(name: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== "granted") return false;
  // The club may have had another key.
  await forget();
  await send((await api.notices()).key);
  write(WHOSE, name);
  return true;
}

export async function switchOff(): Promise<void> {
  write(WHOSE, "");
  await api.unsubscribe();
  await forget();
}
