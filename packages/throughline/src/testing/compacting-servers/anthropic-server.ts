import { fieldsOf, listOf, objectsOf, type Fields } from '../../json/fields.ts'
import { Refusal, servedBy, sizeOf } from './server.ts'

/** The Messages API with `compact_20260112` and `clear_tool_uses_20250919`, as documented. */
export interface AnthropicServer {
  fetch: ReturnType<typeof servedBy>
  /** What the model read for each answer, after the API's own edits. */
  readonly heard: readonly string[]
  readonly compactions: { paused: number; inBand: number }
  /** How many results each answer's request was without. */
  readonly cleared: readonly number[]
  readonly refused: readonly string[]
}

interface ServerOptions {
  window: number
  /** The blocks of the next answer. */
  answer: () => readonly Fields[]
}

const least = 50_000

/** With the edits that a request asks for, and the betas without which it may not. */
export function anthropicServer({ window, answer }: ServerOptions): AnthropicServer {
  const heard: string[] = []
  const refused: string[] = []
  const cleared: number[] = []
  const compactions = { paused: 0, inBand: 0 }
  /** The texts that it made: any other was changed on its way. */
  const made = new Set<string>()

  function refuse(message: string, code?: string): never {
    refused.push(message)
    const details = code === undefined ? {} : { details: { error_code: code } }
    const error = { type: 'invalid_request_error', message, ...details }
    throw new Refusal(400, { type: 'error', error })
  }

  function edit(body: Fields, type: string): Fields | undefined {
    return objectsOf(listOf(fieldsOf(body['context_management'])?.['edits'])).find(
      (each) => each['type'] === type,
    )
  }

  function triggerOf(asked: Fields | undefined, otherwise: number): number {
    const trigger = fieldsOf(asked?.['trigger'])
    return typeof trigger?.['value'] === 'number' ? trigger['value'] : otherwise
  }

  /** The messages from the newest compaction on: the API drops all before it. */
  function current(messages: readonly Fields[]): Fields[] {
    for (let index = messages.length - 1; index >= 0; index--) {
      const message = messages[index] as Fields
      const blocks = blocksOf(message)
      const at = blocks.findLastIndex(
        ({ type, content }) => type === 'compaction' && content !== null,
      )
      if (at === -1) continue
      return [{ ...message, content: blocks.slice(at) }, ...messages.slice(index + 1)]
    }
    return [...messages]
  }

  function check(messages: readonly Fields[], tools: unknown, betas: readonly string[]): void {
    for (const [index, message] of messages.entries()) {
      for (const [at, block] of blocksOf(message).entries()) {
        const { type, content } = block
        if (type !== 'compaction') continue
        const place = `messages.${index}.content.${at}`
        if (!betas.includes('compact-2026-01-12')) {
          refuse(
            `${place}: Input tag 'compaction' found using 'type' does not match any of the expected tags: 'document', 'image', 'text', …`,
          )
        }
        if (message['role'] !== 'assistant') {
          refuse(`${place}: \`compaction\` blocks may only be in \`assistant\` messages`)
        }
        if (content === '') refuse(`${place}.content: must not be empty`)
        if (typeof content === 'string' && !made.has(content)) {
          refuse(`${place}: the block was changed`, 'compaction_content_mismatch')
        }
      }
    }
    const sent = current(messages)
    const first = sent[0]
    if (!first) refuse('messages: at least one message is required')
    const begins = blocksOf(first)[0]?.['type'] === 'compaction'
    if (first['role'] !== 'user' && !begins)
      refuse('messages: first message must use the "user" role')
    let open: string[] = []
    sent.forEach((message, index) => {
      const blocks = blocksOf(message)
      if (blocks.length === 0) refuse(`messages.${index}: all messages must have non-empty content`)
      const results = blocks.flatMap(({ type, tool_use_id: id }) =>
        type === 'tool_result' ? [String(id)] : [],
      )
      if (results.toSorted().join() !== open.toSorted().join()) {
        refuse(`messages.${index}: \`tool_use\` ids ${open.join()} and results ${results.join()}`)
      }
      open = blocks.flatMap(({ type, id }) => (type === 'tool_use' ? [String(id)] : []))
    })
    if (open.length > 0) refuse(`messages: no results of ${open.join()}`)
    const calls = messages.some((message) =>
      blocksOf(message).some(({ type }) => type === 'tool_use' || type === 'tool_result'),
    )
    if (calls && listOf(tools).length === 0) {
      refuse('Requests which include `tool_use` or `tool_result` blocks must define tools')
    }
  }

  return {
    heard,
    compactions,
    cleared,
    refused,
    fetch: servedBy((_, body, headers) => {
      const betas = (headers.get('anthropic-beta') ?? '').split(',')
      const compact = edit(body, 'compact_20260112')
      const clear = edit(body, 'clear_tool_uses_20250919')
      if (compact && !betas.includes('compact-2026-01-12')) {
        refuse('context_management.edits.0: Extra inputs are not permitted')
      }
      if (clear && !betas.includes('context-management-2025-06-27')) {
        refuse('context_management: Extra inputs are not permitted')
      }
      if (compact && triggerOf(compact, 150_000) < least) {
        refuse(
          `context_management.edits.0.trigger.value: Input should be greater than or equal to ${least}`,
        )
      }
      const named = objectsOf(listOf(body['tools'])).map(({ type }) => type)
      if (named.includes('memory_20250818') && !betas.includes('context-management-2025-06-27')) {
        refuse("tools.0: Input tag 'memory_20250818' found using 'type' does not match any tag")
      }
      const messages = objectsOf(listOf(body['messages']))
      check(messages, body['tools'], betas)
      let sent = current(messages)
      const before = sizeOf(sent)
      let count = 0
      if (clear && before > triggerOf(clear, 100_000)) {
        const result = withoutOldResults(sent, clear)
        sent = result.messages
        count = result.count
      }
      let tokens = sizeOf(sent) + sizeOf(body['system'] ?? '')
      const edits =
        count === 0
          ? []
          : [
              {
                type: 'clear_tool_uses_20250919',
                cleared_tool_uses: count,
                cleared_input_tokens: before - sizeOf(sent),
              },
            ]
      const content: Fields[] = []
      const iterations: Fields[] = []
      if (compact && tokens > triggerOf(compact, 150_000)) {
        const said = sent.map((message) => JSON.stringify(message).slice(0, 160)).join(' | ')
        const text = `COMPACTED ${made.size + 1}: ${said}`.slice(0, 6_000)
        made.add(text)
        content.push({ type: 'compaction', content: text, encrypted_content: null })
        iterations.push({ type: 'compaction', input_tokens: tokens, output_tokens: sizeOf(text) })
        if (compact['pause_after_compaction'] === true) {
          compactions.paused += 1
          return reply(body, { content, stop: 'compaction', tokens: 0, iterations, edits })
        }
        compactions.inBand += 1
        sent = [{ role: 'assistant', content: [...content] }]
        tokens = sizeOf(sent)
      }
      if (tokens > window) refuse(`prompt is too long: ${tokens} tokens > ${window} maximum`)
      heard.push(JSON.stringify(sent))
      cleared.push(count)
      content.push(...answer())
      iterations.push({ type: 'message', input_tokens: tokens, output_tokens: 30 })
      return reply(body, { content, stop: 'tool_use', tokens, iterations, edits })
    }),
  }
}

interface Reply {
  content: readonly Fields[]
  stop: string
  tokens: number
  iterations: readonly Fields[]
  edits: readonly Fields[]
}

function reply({ model }: Fields, { content, stop, tokens, iterations, edits }: Reply): Fields {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: stop,
    stop_sequence: null,
    usage: { input_tokens: tokens, output_tokens: tokens === 0 ? 0 : 30, iterations },
    context_management: { applied_edits: edits },
  }
}

/** All but the newest results, of tools that are not left alone, are replaced by a text. */
function withoutOldResults(messages: readonly Fields[], { keep, exclude_tools: left }: Fields) {
  const kept = Number(fieldsOf(keep)?.['value'] ?? 3)
  const names = new Map(
    messages.flatMap((message) =>
      blocksOf(message).flatMap(({ type, id, name }): [unknown, unknown][] =>
        type === 'tool_use' ? [[id, name]] : [],
      ),
    ),
  )
  const excluded = new Set(listOf(left))
  const ids = messages.flatMap((message) =>
    blocksOf(message).flatMap(({ type, tool_use_id: id }) =>
      type === 'tool_result' && !excluded.has(names.get(id)) ? [id] : [],
    ),
  )
  const gone = new Set(ids.slice(0, Math.max(0, ids.length - kept)))
  const cleared = messages.map((message) => ({
    ...message,
    content: blocksOf(message).map((block) =>
      block['type'] === 'tool_result' && gone.has(block['tool_use_id'])
        ? { ...block, content: '[cleared to save context]' }
        : block,
    ),
  }))
  return { messages: cleared, count: gone.size }
}

function blocksOf({ content }: Fields): Fields[] {
  return typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : objectsOf(listOf(content))
}
