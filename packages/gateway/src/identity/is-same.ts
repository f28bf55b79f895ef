import { timingSafeEqual } from 'node:crypto'

/** Whether a secret was given, in a time that tells nothing of it. */
export function isSame(given: string | undefined, secret: string | undefined): boolean {
  if (given === undefined || secret === undefined || secret === '') return false
  const [one, other] = [Buffer.from(given), Buffer.from(secret)]
  return one.length === other.length && timingSafeEqual(one, other)
}
