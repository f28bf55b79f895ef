import { createHmac, timingSafeEqual } from 'node:crypto'

// As long as somebody may look at what has just been done.
const linkLife = 24 * 60 * 60 * 1_000

/**
 * The address of the report on a session, for a day: a browser has no key to send, so that whoever
 * was told the address may read this one page.
 */
export function reportLink(secret: Uint8Array, id: string, now: number): string {
  // The same all day long.
  const until = String((Math.floor(now / linkLife) + 2) * linkLife)
  return `/throughline/sessions/${id}/report?until=${until}&sign=${signed(secret, id, until)}`
}

/** Whether an address is one that {@link reportLink} has made, and not too old. */
export function isInvited(
  secret: Uint8Array,
  { id, until = '', sign }: { id: string; until?: string | undefined; sign?: string | undefined },
  now: number,
): boolean {
  return Number(until) > now && isSame(sign, signed(secret, id, until))
}

function signed(secret: Uint8Array, id: string, until: string): string {
  return createHmac('sha256', secret).update(`report ${until} ${id}`).digest('base64url')
}

/** Whether a secret was given, in a time that tells nothing of it. */
export function isSame(given: string | undefined, secret: string | undefined): boolean {
  if (given === undefined || secret === undefined || secret === '') return false
  const [one, other] = [Buffer.from(given), Buffer.from(secret)]
  return one.length === other.length && timingSafeEqual(one, other)
}
