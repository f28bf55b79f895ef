import { listOf, fieldsOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { Refusal, servedBy, sizeOf } from './server.ts'

/** The Responses API with `/responses/compact` and `context_management`, as documented. */
export interface OpenAIServer {
  fetch: ReturnType<typeof servedBy>
  /** What the model read for each answer: sealed content opened, ignored items left out. */
  readonly heard: readonly string[]
  /** The input of each request for an answer, as it came. */
  readonly inputs: readonly (readonly Fields[])[]
  readonly compactions: { endpoint: number; inBand: number }
  /** How often a `compaction_trigger` asked for one, which is then the whole answer. */
  readonly triggered: () => number
  readonly refused: readonly string[]
  /** Its keys are new: nothing that was sealed before can be opened. */
  rotate: () => void
}

interface ServerOptions {
  window: number
  /** The output items of the next answer. */
  answer: () => readonly Fields[]
  /** `/responses/compact` fails. */
  fails?: () => boolean
}

const itemTypes = new Set([
  'message',
  'function_call',
  'function_call_output',
  'reasoning',
  'compaction',
  'compaction_trigger',
  'item_reference',
])

/**
 * A compaction's item is sealed with the server's key. `/responses/compact` returns the user's
 * messages and one such item; with `context_management`, the item comes with the answer, and the
 * items before it are ignored from then on.
 */
export function openaiServer({ window, answer, fails }: ServerOptions): OpenAIServer {
  let key = 1
  let made = 0
  const heard: string[] = []
  const inputs: (readonly Fields[])[] = []
  const refused: string[] = []
  const compactions = { endpoint: 0, inBand: 0 }
  let triggered = 0
  /** The ids of the messages that came with an item of `/responses/compact`. */
  const kept = new Set<string>()

  function refuse(message: string, code: string | null = null): never {
    refused.push(message)
    const error = { message, type: 'invalid_request_error', param: 'input', code }
    throw new Refusal(400, { error })
  }

  function sealed(text: string): Fields {
    made += 1
    const content = Buffer.from(JSON.stringify({ key, text })).toString('base64')
    return { type: 'compaction', id: `cmp_${made}`, encrypted_content: `gAAAA${content}` }
  }

  function opened(item: Fields): string {
    const content = textOf(item['encrypted_content'])
    if (content === undefined) refuse("Missing required parameter: 'input[0].encrypted_content'.")
    let state: Fields | undefined
    try {
      state = fieldsOf(JSON.parse(Buffer.from(content.slice(5), 'base64').toString()))
    } catch {
      state = undefined
    }
    if (state?.['key'] === key) return textOf(state['text']) ?? ''
    const reason = 'Encrypted content could not be decrypted or parsed.'
    return refuse(
      `The encrypted content for item ${textOf(item['id'])} could not be verified. Reason: ${reason}`,
      'invalid_encrypted_content',
    )
  }

  /** What the model reads of an input. */
  function rendered(input: readonly Fields[]): string[] {
    check(input)
    const last = input.findLastIndex(({ type }) => type === 'compaction')
    return input.flatMap((item, index) => {
      if (item['type'] === 'compaction') {
        const text = opened(item)
        return index === last ? [text] : []
      }
      const stays = index > last || kept.has(textOf(item['id']) ?? '')
      return stays ? [JSON.stringify(item)] : []
    })
  }

  function check(input: readonly Fields[]): void {
    if (input.length === 0) refuse("Invalid 'input': empty array.")
    const last = input.findLastIndex(({ type }) => type === 'compaction')
    const open = new Set<string>()
    input.forEach((item, index) => {
      const type = textOf(item['type']) ?? 'message'
      if (type === 'compaction_trigger' && index < input.length - 1) {
        refuse('compaction_trigger must be the final input item.')
      }
      // Nothing is stored here.
      if (type === 'item_reference') refuse(`Item with id '${textOf(item['id'])}' not found.`)
      if (!itemTypes.has(type)) refuse(`Invalid value: '${type}'. Supported values are: …`)
      if (index < last) return
      const id = textOf(item['call_id']) ?? ''
      if (type === 'function_call') open.add(id)
      if (type === 'function_call_output' && !open.delete(id)) {
        refuse(`No tool call found for function call output with call_id ${id}.`)
      }
    })
    for (const id of open) refuse(`No tool output found for function call ${id}.`)
  }

  function usage(input: number, output: number): Fields {
    return {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    }
  }

  function fitting(texts: readonly string[], instructions: unknown): number {
    const tokens = sizeOf(texts) + sizeOf(instructions ?? '')
    if (tokens > window) {
      refuse(
        `Your input exceeds the context window of this model. Please adjust your input and try again.`,
        'context_length_exceeded',
      )
    }
    return tokens
  }

  function compacted(texts: readonly string[]): Fields {
    // What a model would say of it: the beginning of each item.
    return sealed(
      `COMPACTED: ${texts.map((text) => text.slice(0, 160)).join(' | ')}`.slice(0, 6_000),
    )
  }

  return {
    heard,
    inputs,
    compactions,
    triggered: () => triggered,
    refused,
    rotate: () => {
      key += 1
    },
    fetch: servedBy((path, body) => {
      const input = objectsOf(listOf(body['input']))
      if (textOf(body['model']) === undefined) refuse("Missing required parameter: 'model'.")
      if (path.endsWith('/responses/compact')) {
        for (const field of Object.keys(body)) {
          if (!['model', 'input', 'instructions', 'prompt_cache_key'].includes(field)) {
            refuse(`Unknown parameter: '${field}'.`, 'unknown_parameter')
          }
        }
        if (fails?.()) {
          refused.push('compact')
          throw new Refusal(404, { error: { message: 'Unknown endpoint', type: 'not_found' } })
        }
        const texts = rendered(input)
        const tokens = fitting(texts, body['instructions'])
        compactions.endpoint += 1
        const users = input
          .filter(({ role }) => role === 'user')
          .map((item, index) => {
            const id = textOf(item['id']) ?? `msg_${made}_${index}`
            kept.add(id)
            const content = textOf(item['content'])
            return {
              type: 'message',
              id,
              role: 'user',
              status: 'completed',
              content:
                content === undefined ? item['content'] : [{ type: 'input_text', text: content }],
            }
          })
        const item = compacted(texts)
        return {
          id: `resp_compact_${made}`,
          object: 'response.compaction',
          created_at: 1,
          output: [...users, item],
          usage: usage(tokens, sizeOf(item)),
        }
      }
      let texts = rendered(input)
      const output: Fields[] = []
      if (input.at(-1)?.['type'] === 'compaction_trigger') {
        const tokens = fitting(texts, body['instructions'])
        triggered += 1
        const item = compacted(texts.slice(0, -1))
        return {
          id: `resp_trigger_${made}`,
          object: 'response',
          created_at: 1,
          model: body['model'],
          status: 'completed',
          output: [item],
          usage: usage(tokens, sizeOf(item)),
        }
      }
      const threshold = objectsOf(listOf(body['context_management'])).find(
        ({ type }) => type === 'compaction',
      )?.['compact_threshold']
      if (typeof threshold === 'number' && sizeOf(texts) > threshold) {
        const item = compacted(texts)
        compactions.inBand += 1
        output.push(item)
        texts = [opened(item)]
      }
      const tokens = fitting(texts, body['instructions'])
      heard.push(texts.join('\n'))
      inputs.push(input)
      output.push(...answer())
      return {
        id: `resp_${heard.length}`,
        object: 'response',
        created_at: 1,
        model: body['model'],
        status: 'completed',
        output,
        usage: usage(tokens, 30),
      }
    }),
  }
}
