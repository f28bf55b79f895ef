import { wireText } from './estimate.ts'
import type { Message, Part, ToolOutput } from '../log/message.ts'

/**
 * Counts the tokens of a text, in whatever unit: what a session is given counts as its estimates
 * (`counterOf`). Must be fast and must never throw.
 */
export type CountTokens = (text: string) => number

// What a request costs beyond its texts, measured on the tokens that OpenAI reported for 1,200
// requests of five Codex sessions (GPT-5.4). Claude takes about 90 tokens for a call and its
// result, including ids, which the calibration learns.
const perMessage = 6
const perCall = 16
const perResult = 9

/**
 * Counts a whole message in tokens: texts, reasoning, the inputs of tool calls as JSON, tool
 * outputs, media by kind and size, and the overhead of the format. Never throws, whatever an input
 * contains.
 * @example
 * messageTokens({ role: 'user', content: 'Fix the login page.' }, estimateTokens) // 11
 */
export function messageTokens(message: Message, count: CountTokens): number {
  const { content } = message
  if (typeof content === 'string') return perMessage + count(content)
  if (!Array.isArray(content)) return perMessage
  let tokens = message.role === 'tool' ? 0 : perMessage
  for (const part of content) tokens += partTokens(part, count)
  return tokens
}

/**
 * A version of `messageTokens` that remembers each message it has counted, so that measuring a
 * context again costs nothing. Messages are treated as immutable.
 * @example
 * const tokens = createMessageCounter(estimateTokens)
 * tokens({ role: 'user', content: 'Fix the login page.' }) // 11
 */
export function createMessageCounter(count: CountTokens): (message: Message) => number {
  const counted = new WeakMap<Message, number>()
  return (message) => {
    let tokens = counted.get(message)
    if (tokens === undefined) {
      tokens = messageTokens(message, count)
      counted.set(message, tokens)
    }
    return tokens
  }
}

/** Counts one part of a message, in tokens. */
function partTokens(part: Part, count: CountTokens): number {
  switch (part?.type) {
    case 'text':
    case 'reasoning':
      return textTokens(part.text, count)
    case 'image':
      return mediumTokens(part.image, part.mediaType ?? 'image', count)
    case 'file':
    case 'reasoning-file':
      return mediumTokens(part.data, part.mediaType, count)
    case 'tool-call':
      return perCall + count(`${part.toolName}`) + inputTokens(part.input, count)
    case 'tool-result':
      return perResult + outputTokens(part.output, count)
    case 'tool-approval-request':
      return 0
    case 'tool-approval-response':
      return textTokens(part.reason, count)
    default:
      // A provider's own block: its content is in options that only the provider reads.
      return count(wireText(part))
  }
}

function inputTokens(input: unknown, count: CountTokens): number {
  return input === undefined ? 0 : count(typeof input === 'string' ? input : wireText(input))
}

/** Counts a tool's output of any kind, in tokens. */
function outputTokens(output: ToolOutput, count: CountTokens): number {
  switch (output?.type) {
    case 'text':
    case 'error-text':
      return textTokens(output.value, count)
    case 'json':
    case 'error-json':
      return count(wireText(output.value))
    case 'execution-denied':
      return textTokens(output.reason, count)
    case 'content':
      if (!Array.isArray(output.value)) return 0
      return output.value.reduce((sum, item) => sum + outputPartTokens(item, count), 0)
    default:
      return count(wireText(output))
  }
}

function outputPartTokens(
  part: Extract<ToolOutput, { type: 'content' }>['value'][number],
  count: CountTokens,
): number {
  if (part?.type === 'text') return textTokens(part.text, count)
  const isMedium =
    part?.data !== undefined || part?.mediaType !== undefined || 'url' in Object(part)
  return isMedium ? mediumTokens(part.data, part.mediaType, count) : count(wireText(part))
}

function mediumTokens(data: unknown, mediaType: string | undefined, count: CountTokens): number {
  if (typeof data === 'object' && data !== null && 'text' in data) {
    return textTokens(data.text, count)
  }
  return mediaTokens(mediaType ?? dataUrlType(data), mediaBytes(data))
}

function dataUrlType(data: unknown): string | undefined {
  const start = typeof data === 'string' ? data.slice(0, 100) : ''
  return /^data:([\w.+-]+\/[\w.+-]+)/.exec(start)?.[1]
}

function textTokens(text: unknown, count: CountTokens): number {
  return typeof text === 'string' ? count(text) : 0
}

// Images and PDFs: opencode's estimate (V2, September 2026). Anthropic bills at most about 1,600
// for an image of standard resolution, and for each page of a PDF.
const image = 1_500
const page = 2_000

// No provider counts bytes, but pages can't be counted here: 50 kB per page is our guess.
const bytesPerPage = 50_000

// Gemini counts 32 tokens per second of audio and 263 of video
// (ai.google.dev/gemini-api/docs/tokens); we assume 128 kbit/s and 1 Mbit/s.
const tokensPerAudioByte = 32 / 16_000
const tokensPerVideoByte = 263 / 125_000

// Our estimate of source code: 3.7 bytes per token.
const tokensPerTextByte = 1 / 3.7

/**
 * The tokens of a medium, by its kind and size. Its base64 is never counted as text.
 * @param bytes its size once decoded, where known.
 * @example
 * mediaTokens('image/png', 2_000_000) // 1500
 * mediaTokens('application/pdf', 200_000) // 8000
 */
export function mediaTokens(mediaType: string | undefined, bytes: number | undefined): number {
  const [kind = '', subkind = ''] = mediaType?.toLowerCase().split(/[/;]/, 2) ?? []
  const size = bytes ?? 0
  if (subkind === 'pdf') return page * Math.max(1, Math.ceil(size / bytesPerPage))
  if (kind === 'audio') return Math.max(500, Math.ceil(size * tokensPerAudioByte))
  if (kind === 'video') return Math.max(2_000, Math.ceil(size * tokensPerVideoByte))
  if (kind === 'text' || subkind === 'json' || subkind === 'xml') {
    return Math.max(1, Math.ceil(size * tokensPerTextByte))
  }
  return image
}

/** The decoded size of a medium's data in bytes; `undefined` for a URL or a reference. */
function mediaBytes(data: unknown): number | undefined {
  if (typeof data === 'string') return base64Bytes(data)
  if (data instanceof URL) return data.protocol === 'data:' ? base64Bytes(data.href) : undefined
  if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) return data.byteLength
  if (typeof data === 'object' && data !== null && 'data' in data && data.data !== data) {
    return mediaBytes(data.data)
  }
  return undefined
}

function base64Bytes(text: string): number | undefined {
  if (/^https?:/i.test(text.slice(0, 6))) return undefined
  const from = text.startsWith('data:') ? text.indexOf(',') + 1 : 0
  return Math.floor(((text.length - from) * 3) / 4)
}
