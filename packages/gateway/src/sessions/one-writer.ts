import { StoreConflictError, type Store } from 'throughline'

/**
 * The store as a session needs it that others may write to at the same time: it appends only to what
 * it has read. Whoever comes second is refused, and reads what the first one has written: otherwise
 * a request that reaches two replicas at once would stand in the log twice.
 */
export function appendingToWhatIsKnown(store: Store): Store {
  return {
    ...store,
    append: (session, drafts, condition, request) =>
      store.append(
        session,
        drafts,
        { ...condition, newest: condition?.newest ?? condition?.holds?.seq ?? 0 },
        request,
      ),
  }
}

// Each time, someone else has got on.
const mostTries = 5

/** Does a piece of work again, from `afresh` on, where someone else was faster. */
export async function unlessOvertaken<Result>(
  work: () => Promise<Result>,
  afresh: () => Promise<void>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!StoreConflictError.isInstance(error) || tries === mostTries) throw error
      await afresh()
    }
  }
}

/** Runs works one after the other, in the order in which they were given. */
export type OneAtATime = <Result>(work: () => Promise<Result>) => Promise<Result>

export function oneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }
}
