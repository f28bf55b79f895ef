import { fieldsOf } from '../../json/fields.ts'
import { checkUsage } from '../../log/check-draft.ts'
import { InvalidEntryError } from '../../log/invalid-entry-error.ts'
import { calibrate } from '../../tokens/calibration.ts'
import { abortedResults } from '../../log/open-calls.ts'
import { modelTokens } from '../../tokens/units.ts'
import { oneAtATime } from '../compacting/one-at-a-time.ts'
import type { EntryDraft, FinishReason, Usage } from '../../log/entry.ts'
import type { AssistantMessage, Message, ToolMessage } from '../../log/message.ts'
import type { Session } from '../session.ts'

/** The outcome of a step: its messages, how it finished, and its usage. */
export interface StepResult {
  /** The assistant's message, and the results that its calls have so far. */
  messages: (AssistantMessage | ToolMessage)[]
  finish: FinishReason
  usage?: Usage
  model?: string
}

/** A step on its way into the log: parts that arrive early, and the rest when it ends. */
export interface StepRecord {
  /** What is already in the log. */
  readonly messages: readonly Message[]
  keep: (part: StepResult) => Promise<void>
  end: (rest: StepResult) => Promise<void>
  /** Ends it when its open calls will not be answered anymore. */
  giveUp: () => Promise<void>
}

export function stepRecord(session: Session): StepRecord {
  const messages: Message[] = []
  const inTurn = oneAtATime()
  let taught: EntryDraft[] = []

  async function write(part: StepResult, ending: readonly EntryDraft[] = []): Promise<void> {
    const drafts = part.messages.map((message) => messageDraft(message, part, session.now()))
    const notes = part.messages.length > 0 ? usageNote(part, session.now()) : []
    const all = [...drafts, ...notes, ...ending]
    if (all.length > 0) await session.append(...all)
    messages.push(...part.messages)
  }

  /** The context that the answer was given to; it grows with the answer. */
  function learn(part: StepResult): void {
    if (part.messages.some(({ role }) => role === 'assistant')) {
      taught = calibrationDraft(session, part)
    }
  }

  async function end(rest: StepResult): Promise<void> {
    learn(rest)
    const closing = closingDraft([...messages, ...rest.messages], rest.finish, session.now())
    await write(rest, [...closing, ...taught])
  }

  return {
    messages,
    keep: (part) =>
      inTurn(async () => {
        learn(part)
        await write(part)
      }),
    end: (rest) => inTurn(() => end(rest)),
    giveUp: () => inTurn(() => end({ messages: [], finish: 'error' })),
  }
}

/** A step's answer is kept even if what it says of its usage can't be; the log then says so. */
function usageNote(step: StepResult, at: number): EntryDraft[] {
  const { usage } = step
  if (usageIn(step) === usage) return []
  const fields = Object.entries(fieldsOf(usage) ?? {})
  const data = Object.fromEntries(fields.map(([key, value]) => [key, String(value)]))
  return [{ kind: 'observation', at, observation: { type: 'note', name: 'usage-refused', data } }]
}

/** The usage, if it is in tokens. */
function usageIn({ usage }: Pick<StepResult, 'usage'>): StepResult['usage'] {
  try {
    checkUsage(usage)
    return usage
  } catch (error) {
    if (!InvalidEntryError.isInstance(error)) throw error
    return undefined
  }
}

function messageDraft(
  message: AssistantMessage | ToolMessage,
  step: StepResult,
  at: number,
): EntryDraft {
  const { finish, model } = step
  const usage = usageIn(step)
  if (message.role === 'tool') return { kind: 'message', at, message, origin: 'tool' }
  return {
    kind: 'message',
    at,
    message,
    origin: 'model',
    finish,
    ...(usage && { usage }),
    ...(model !== undefined && { model }),
  }
}

const brokenOff: ReadonlySet<FinishReason> = new Set([
  'aborted',
  'length',
  'content-filter',
  'error',
])

/** Calls that will not be answered anymore, because the step ended before they ran. */
function closingDraft(
  messages: readonly Message[],
  finish: FinishReason,
  at: number,
): EntryDraft[] {
  const message = brokenOff.has(finish) ? abortedResults(messages) : undefined
  return message ? [{ kind: 'message', at, message, origin: 'synthetic' }] : []
}

// Smaller changes are noise and would flood the log.
const noticeable = 0.02

/**
 * Learns from the provider's token count how far the session's own count of that request was off.
 */
export function calibrationDraft(session: Session, step: Pick<StepResult, 'usage'>): EntryDraft[] {
  const usage = usageIn(step)
  if (!usage) return []
  const { model } = session.frame
  const { ratio } = session.counter
  const estimate = session.estimate()
  const sent = usage.inputTokens + (usage.clearedTokens ?? 0)
  const next = calibrate(ratio, { estimate, reported: modelTokens(sent) })
  if (Math.abs(next - ratio) < noticeable) return []
  const observation = {
    type: 'calibration',
    ratio: next,
    ...(model !== undefined && { model }),
  } as const
  return [{ kind: 'observation', at: session.now(), observation }]
}
