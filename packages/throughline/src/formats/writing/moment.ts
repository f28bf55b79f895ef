/**
 * When something was said, for a file: a harness that finds a time to come, or none, waits or
 * goes wrong, so it is `now` there. In milliseconds since 1970.
 */
export function momentOf(at: number, now: number): number {
  return at > 0 && at < now ? Math.floor(at) : now
}
