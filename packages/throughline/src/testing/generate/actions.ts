import fc from 'fast-check'
import { arbitrarySession } from './session.ts'
import { full } from './runs.ts'
import type { EntryDraft } from '../../log/entry.ts'

/** Something that is done with a session. Shares are relative to its length. */
export type Action =
  | { does: 'say'; text: string }
  | { does: 'append'; drafts: readonly EntryDraft[] }
  /** The open calls get their results. */
  | { does: 'answer' }
  /** A call gets a result, however old it is. */
  | { does: 'answer late'; share: number }
  | { does: 'compact' }
  /** Another process, whose model has a smaller window, reaches its gate and may prune. */
  | { does: 'gate'; window: number }
  | { does: 'undo' }
  | { does: 'rewind'; share: number }
  | { does: 'pin'; share: number }
  | { does: 'unpin' }
  | { does: 'redact a text'; text: string }
  | { does: 'redact a message'; share: number }
  | { does: 'reopen' }
  /** The following actions apply to the fork. */
  | { does: 'fork'; share: number }

const share = fc.double({ min: 0, max: 1, noNaN: true })
const texts = ['and now?', 'Never push to main.', 'sửa lỗi', '', 'as in [5], and 7']
const redacted = ['parseHeader', 'handleSubtask', 'compute(index)']

const arbitraryAction: fc.Arbitrary<Action> = fc.oneof(
  weighted(3, fc.record({ does: fc.constant('say'), text: fc.constantFrom(...texts) })),
  weighted(6, fc.record({ does: fc.constant('append'), drafts: drafts(full ? 30 : 8) })),
  weighted(2, fc.record({ does: fc.constant('answer') })),
  weighted(1, fc.record({ does: fc.constant('answer late'), share })),
  weighted(4, fc.record({ does: fc.constant('compact') })),
  weighted(
    4,
    fc.record({ does: fc.constant('gate'), window: fc.constantFrom(4_000, 8_000, 16_000) }),
  ),
  weighted(3, fc.record({ does: fc.constant('undo') })),
  weighted(2, fc.record({ does: fc.constant('rewind'), share })),
  weighted(2, fc.record({ does: fc.constant('pin'), share })),
  weighted(1, fc.record({ does: fc.constant('unpin') })),
  weighted(
    1,
    fc.record({ does: fc.constant('redact a text'), text: fc.constantFrom(...redacted) }),
  ),
  weighted(1, fc.record({ does: fc.constant('redact a message'), share })),
  weighted(1, fc.record({ does: fc.constant('reopen') })),
  weighted(1, fc.record({ does: fc.constant('fork'), share })),
)

function weighted(
  weight: number,
  arbitrary: fc.Arbitrary<Action>,
): { weight: number; arbitrary: fc.Arbitrary<Action> } {
  return { weight, arbitrary }
}

/** Drafts that mean the same after any log. */
function drafts(maxSteps: number): fc.Arbitrary<EntryDraft[]> {
  return arbitrarySession({ maxSteps }).map((drafts) =>
    drafts.filter(({ kind }) => kind === 'message' || kind === 'observation'),
  )
}

/** What is done with a session, from its first words on. */
export function arbitraryLife(maxLength: number): fc.Arbitrary<Action[]> {
  return fc
    .tuple(drafts(12), fc.array(arbitraryAction, { minLength: 1, maxLength }))
    .map(([drafts, actions]) => [{ does: 'append', drafts }, ...actions])
}
