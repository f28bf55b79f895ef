/** Does one piece of work after the other, in the order in which they come. */
export type OneAtATime = <Result>(work: () => Promise<Result>) => Promise<Result>

/** A queue: what fails does not keep the next from being done. */
export function oneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}
