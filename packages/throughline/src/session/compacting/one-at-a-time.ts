/** Runs pieces of work one after the other, in the order in which they arrive. */
export type OneAtATime = <Result>(work: () => Promise<Result>) => Promise<Result>

/** A queue. A failed piece doesn't stop the next one. */
export function oneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}
