import {
  PinBudgetError,
  recallDescription,
  recallInputSchema,
  recallReply,
  type Session,
  type Store,
} from 'throughline'
import {
  compactDescription,
  compactInputSchema,
  compactReply,
  type CompactionAsked,
} from 'throughline/hosts'
import { requestOf, type ModelRequest } from '../server/model-request.ts'
import type { OwnCall, OwnTool } from './tool-wire.ts'

export type OwnToolName = 'recall' | 'compact'

const tools: Readonly<Record<OwnToolName, OwnTool>> = {
  recall: { name: 'recall', description: recallDescription, schema: recallInputSchema },
  compact: { name: 'compact', description: compactDescription, schema: compactInputSchema },
}

export interface Equipped {
  request: ModelRequest
  own: ReadonlySet<string>
}

/**
 * A request with our tools behind its own. `undefined` where it has none: a side request, such as for
 * a title, stays as it came, and so does one that has tools of these names.
 */
export function equipped(
  request: ModelRequest,
  names: readonly OwnToolName[],
): Equipped | undefined {
  const { wire, asked, spans, body } = request
  const span = spans.fields.get('tools')
  if (!span || names.length === 0 || asked.elsewhere) return undefined
  if (wire.tools.mayHide?.(request.field) === false) return undefined
  const taken = new Set(wire.tools.names(asked.tools))
  const free = names.filter((name) => !taken.has(name))
  const made = wire.tools.withTools(
    asked.tools,
    free.map((name) => tools[name]),
  )
  if (!made || free.length === 0) return undefined
  const pieces = [
    body.subarray(0, span.start),
    Buffer.from(JSON.stringify(made)),
    body.subarray(span.end),
  ]
  const equippedRequest = requestOf({ ...request, body: Buffer.concat(pieces) })
  return equippedRequest && { request: equippedRequest, own: new Set<string>(free) }
}

/** Where our tools find what they are asked for. */
export interface ToolPlace {
  store: Store
  session: Session
  /** A compaction is wanted, before the next request. */
  onAsked: (asked: Pick<CompactionAsked, 'focus'>) => void
}

/** What a call gives; mistakes are told to the model. */
export async function ownReply(
  { store, session, onAsked }: ToolPlace,
  { name, input }: OwnCall,
): Promise<string> {
  if (name === 'compact') {
    const reply = compactReply(session, input)
    if ('error' in reply) return reply.error
    const { keep, ...asked } = reply.asked
    try {
      if (keep !== undefined) await session.pin(keep)
    } catch (error) {
      if (!PinBudgetError.isInstance(error)) throw error
      return error.message
    }
    onAsked(asked)
    return reply.text
  }
  const reply = await recallReply(store, session.id, input)
  return 'text' in reply ? reply.text : reply.error
}

/** What was asked for with the tool `compact`, perhaps of another replica. */
export function askedBy(
  session: Session,
  { input }: OwnCall,
): Pick<CompactionAsked, 'focus'> | undefined {
  const reply = compactReply(session, input)
  if ('error' in reply) return undefined
  const { focus } = reply.asked
  return focus === undefined ? {} : { focus }
}
