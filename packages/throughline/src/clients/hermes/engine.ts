import { agentTools } from '../agent-tools.ts'
import { compactionRecord } from '../client-session.ts'
import { compactChat, openChat } from '../../integrations/openai/index.ts'
import { countOf, fieldsOf, nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { defaultPolicy } from '../../compaction/policy.ts'
import { forkSession } from '../../session/operations/fork.ts'
import type { ChatMessage } from '../../wires/openai-chat/message.ts'
import type { ChatResponse } from '../../integrations/openai/chat/open-chat.ts'
import type { Conversation } from '../../integrations/conversation/conversation.ts'
import type { ClientRecord } from '../record.ts'
import type { Seq } from '../../log/entry.ts'
import type { Store } from '../../session/store.ts'

interface Opened {
  chat: Conversation<ChatMessage, ChatResponse>
  window: number
  /** Where what the host's memory has to say is pinned. */
  memory?: Seq
}

/** One of the questions of the host: an object goes in, and an object comes out. */
type Method = (params: Fields) => Promise<object>

const usualWindow = 128_000
// Old outputs are pruned where that frees 20,000 tokens, and of the newest 40,000 stay.
const leastPruned = 20_000
const newestKept = 40_000
const prefix = 'throughline_'
const tools = agentTools.filter(({ name }) => name !== 'compact')

/** What answers Hermes: its own messages go in, and those of the next request come out. */
export function hermesMethods({
  store,
  record,
}: {
  store: Store
  record: (entry: Omit<ClientRecord, 'at' | 'client'>) => void
}): Readonly<Record<string, Method>> {
  const opened = new Map<string, Promise<Opened>>()

  async function open({ session, window, model }: Fields): Promise<Opened> {
    const id = nameOf(session) ?? 'hermes'
    const size = countOf(window) || usualWindow
    const known = await opened.get(id)
    if (known?.window === size) return known
    await known?.chat.session.close()
    const opening = openNow(id, size, nameOf(model))
    opened.set(id, opening)
    opening.catch(() => opened.delete(id))
    return opening
  }

  async function openNow(id: string, window: number, model?: string): Promise<Opened> {
    let began = performance.now()
    const chat = await openChat({
      store,
      id,
      window: { context: window },
      policy: { ...defaultPolicy, recallTool: `${prefix}recall`, continuation: () => null },
      ...(model !== undefined && { model }),
      onEvent(event) {
        if (event.type === 'compaction-started') began = performance.now()
        if (event.type !== 'compaction-finished') return
        const ms = Math.round(performance.now() - began)
        record(compactionRecord(id, { report: event.report, by: 'local', ms }))
      },
    })
    return { chat, window }
  }

  return {
    async compress(params) {
      const at = await open(params)
      const { session } = at.chat
      await at.chat.take(messagesOf(params))
      const focus = textOf(params['focus'])
      const memory = textOf(params['memory'])
      if (memory) {
        if (at.memory !== undefined) await session.unpin(at.memory)
        at.memory = await session.pin(memory)
      }
      const before = session.measure().tokens
      const { action } = await session.compact(focus ? { focus } : {})
      const after = session.measure().tokens
      return { compacted: action !== 'none', messages: at.chat.messages(), before, after }
    },
    async prune(params) {
      const messages = messagesOf(params)
      const enough = leastPruned + newestKept
      if ((countOf(params['tokens']) ?? 0) < enough) return { pruned: 0 }
      // What is pruned can be read back.
      const { chat } = await open(params)
      await chat.take(messages)
      const { tokens } = chat.session.measure()
      if (tokens < enough) return { pruned: 0 }
      const made = await compactChat(messages, {
        // What is pruned leaves half of what is usable.
        window: { context: 2 * (tokens - leastPruned) },
        policy: {
          ...defaultPolicy,
          reserved: () => 0,
          threshold: () => 1,
          recent: () => newestKept,
          pruneAlone: () => true,
        },
      })
      if (made.report.action !== 'prune') return { pruned: 0 }
      const pruned = made.messages.filter((each, index) => each !== messages[index]).length
      return { messages: made.messages, pruned }
    },
    /** The host has begun a session anew with what was compacted: it is the same for us. */
    async continues({ from, to }) {
      const [before, now] = [nameOf(from), nameOf(to)]
      if (before !== undefined && now !== undefined && before !== now) {
        await forkSession(store, before, now)
      }
      return {}
    },
    async tools() {
      return {
        tools: tools.map(({ name, description, schema }) => ({
          name: `${prefix}${name}`,
          description,
          parameters: schema,
        })),
      }
    },
    async tool(params) {
      const { chat } = await open(params)
      const messages = messagesOf(params)
      if (messages.length > 0) await chat.take(messages)
      const named = tools.find(({ name }) => `${prefix}${name}` === params['name'])
      if (!named) return { error: `there is no tool ${String(params['name'])}` }
      const own = { session: chat.session, hosted: { store }, directories: [], asked: undefined }
      return named.reply(own, params['args'])
    },
    async end({ session }) {
      const id = nameOf(session)
      const at = id === undefined ? undefined : await opened.get(id)
      if (id !== undefined) opened.delete(id)
      await at?.chat.session.close()
      return {}
    },
  }
}

function messagesOf({ messages }: Fields): ChatMessage[] {
  return objectsOf(messages) as unknown as ChatMessage[]
}

/** Answers one line of the host's with one line. */
export async function answerLine(
  methods: Readonly<Record<string, Method>>,
  line: string,
): Promise<string> {
  let id: unknown
  try {
    const asked = fieldsOf(JSON.parse(line))
    id = asked?.['id']
    const name = nameOf(asked?.['method']) ?? ''
    const method = Object.hasOwn(methods, name) ? methods[name] : undefined
    if (!method) throw new Error(`there is no method ${JSON.stringify(name)}`)
    return JSON.stringify({ id, result: await method(fieldsOf(asked?.['params']) ?? {}) })
  } catch (error) {
    return JSON.stringify({ id, error: error instanceof Error ? error.message : String(error) })
  }
}
