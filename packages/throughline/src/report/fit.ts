/** How our counts fit the provider's: what every request holds besides, and a factor. */
export interface Fit {
  fixed: number
  scale: number
}

// Beyond these, it isn't our counts that are off.
const leastScale = 0.5
const mostScale = 2

/**
 * Learns what every request holds besides the messages of the file, such as tools: a request with
 * few messages tells it best. What is left of a difference is how far off our counts are.
 */
export function fittingTo(known: number) {
  let fit: Fit = { fixed: known, scale: 1 }
  let base = known
  let smallest = Infinity
  let changedTo: number | undefined
  return {
    now: (): Fit => fit,
    sizeOf: (own: number): number => fit.fixed + own * fit.scale,
    /** The context holds this much after a change of the view. */
    changed: (own: number): void => void (changedTo = own),
    /** @returns the size right after the last change of the view, if no request came between. */
    count(own: number, reported: number): number | undefined {
      if (own < smallest) {
        smallest = own
        base = Math.max(reported - own, 0)
      }
      const exact = own > 0 ? (reported - base) / own : 1
      const scale = Math.min(Math.max(exact, leastScale), mostScale)
      const fixed = Math.max(reported - own * scale, 0)
      fit = { fixed, scale: own > 0 ? (reported - fixed) / own : 1 }
      const since = changedTo === undefined ? undefined : own - changedTo
      changedTo = undefined
      return since === undefined ? undefined : reported - since * fit.scale
    },
  }
}
