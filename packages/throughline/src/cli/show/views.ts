import { contextOf } from '../../log/context.ts'
import { historyOf } from '../../log/history.ts'
import { renderContext } from '../../compaction/render/render.ts'
import { summaryRoleOf } from '../../compaction/render/summary-block.ts'
import { sanitize } from '../../log/sanitize.ts'
import { asText } from '../transcript/as-text.ts'
import { entryPassages, passagesOf, type Passage } from '../transcript/passages.ts'
import { paintFor } from '../terminal/colour.ts'
import { painted } from './painted.ts'
import { safeJson } from '../safe-json.ts'
import { logLines } from './log-lines.ts'
import { entryJson, objectWithList } from './show-json.ts'
import type { Policy } from '../../compaction/policy.ts'
import type { SessionInput } from '../input/read-input.ts'
import type { Io } from '../io.ts'

/** What is shown, and how. */
interface Showing {
  session: SessionInput
  policy: Policy
  io: Io
}

/** A view of a session, as text and as JSON, in pieces. */
interface View {
  text: (showing: Showing) => Iterable<string>
  json: (showing: Showing) => Iterable<string>
}

/** What the user sees. */
const history: View = {
  *text({ session, io }) {
    let first = true
    for (const entry of historyOf(session.log).entries) {
      const passages = entryPassages(entry).filter(says)
      if (passages.length === 0) continue
      yield (first ? '' : '\n') + painted(asText(passages), io)
      first = false
    }
  },
  json: ({ session }) =>
    objectWithList(headOf(session), 'entries', historyOf(session.log).entries.map(entryJson)),
}

/** What the model sees. */
const context: View = {
  *text({ session, policy, io }) {
    const { log, facts } = session
    const system: Passage[] =
      facts.system === undefined ? [] : [{ kind: 'system', text: sanitize(facts.system) }]
    const passages = passagesOf(contextOf(log), log, summaryRoleOf(policy))
    yield painted(asText([...system, ...passages]), io)
  },
  json: ({ session, policy }) => {
    const { messages } = renderContext(contextOf(session.log).items, summaryRoleOf(policy))
    const head = { ...headOf(session), system: session.facts.system ?? null }
    return objectWithList(
      head,
      'messages',
      messages.map((message) => safeJson(message, 0)),
    )
  },
}

/** Everything that was ever said or done. */
const log: View = {
  *text({ session, io: { stdout, env } }) {
    const lines = logLines(session.log, stdout.columns(), paintFor(stdout, env))
    for (const line of lines) yield `${line}\n`
  },
  json: ({ session }) => objectWithList(headOf(session), 'entries', session.log.map(entryJson)),
}

export const views = { history, context, log } as const

export function headOf({
  name,
  stored,
  format,
  facts,
}: Pick<SessionInput, 'name' | 'stored' | 'format' | 'facts'>) {
  return { session: stored ?? name, format, model: facts.model ?? null }
}

function says({ text, tool }: Passage): boolean {
  return text !== '' || tool !== undefined
}
