import {
  boundedValue,
  countOf,
  dataOf,
  fieldsOf,
  holdsWords,
  jsonOf,
  nameOf,
  textOf,
  type Fields,
} from '../../json/fields.ts'
import { madeParts, saidInParts, type OriginPart } from './user-messages.ts'
import type { Metadata, Origin, Usage } from '../../log/entry.ts'
import type {
  AssistantPart,
  ProviderOptions,
  TextPart,
  ToolCallPart,
  ToolOutput,
  ToolOutputPart,
  UserPart,
} from '../../log/message.ts'

/*
 * What fields of a file become. Each function takes values as they stand in the file and gives a
 * list of parts: an empty one where they hold nothing that a model saw.
 */

/** What a kind of block or record becomes: the rows of a format's table. */
export type Rows<Given, Made> = Readonly<Record<string, (given: Given) => Made>>

/** The row for a kind, if the table has one. */
export function rowFor<Row>(rows: Readonly<Record<string, Row>>, kind: unknown): Row | undefined {
  return typeof kind === 'string' && Object.hasOwn(rows, kind) ? rows[kind] : undefined
}

/** The blocks of a content; a text alone is one of them. What is no block is one of no type. */
export function blocksIn(content: unknown): Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  const items: readonly unknown[] = Array.isArray(content) ? content : [content]
  return items.flatMap((item): Fields[] => {
    const block = fieldsOf(item) ?? (holdsWords(item) ? { content: item } : undefined)
    return block ? [block] : []
  })
}

/**
 * The parts of blocks, by the type of each. What holds words in a block of another type is not known,
 * so the block stays as it is: it is shown, and can be found.
 */
export function partsByType<Part>(
  rows: Rows<Fields, Part[]>,
  blocks: readonly Fields[],
): (Part | PlainText)[] {
  return blocks.flatMap(
    (block): (Part | PlainText)[] => rowFor(rows, block['type'])?.(block) ?? unknownText(block),
  )
}

/** A text of a reply or of an output. */
type PlainText = Pick<TextPart, 'type' | 'text'>

/** A block that a reader doesn't know, as its JSON; none if it holds no words. */
export function unknownText(block: Fields): PlainText[] {
  return holdsWords(block) ? [{ type: 'text', text: jsonOf(block) ?? '' }] : []
}

export function text(value: unknown): TextPart[] {
  const said = nameOf(value)
  return said === undefined ? [] : [{ type: 'text', text: said }]
}

/** What a provider wants back with a part. */
export interface Sealed {
  providerOptions?: ProviderOptions
}

/** The texts among these values, as what a provider wants back with a part. */
export function sealed(provider: string, values: Fields): Sealed {
  const kept = Object.entries(values).filter(([, value]) => nameOf(value) !== undefined)
  return kept.length > 0 ? { providerOptions: { [provider]: Object.fromEntries(kept) } } : {}
}

/** Reasoning that can neither be read nor sent again is left out. */
export function reasoning(value: unknown, seal: Sealed = {}): AssistantPart[] {
  const said = textOf(value) ?? ''
  return said === '' && !seal.providerOptions ? [] : [{ type: 'reasoning', text: said, ...seal }]
}

/** The item of the Responses API, whose texts may stand elsewhere too. */
export function reasoningItem(texts: readonly string[], item: Fields): AssistantPart[] {
  const { id: itemId, encrypted_content: reasoningEncryptedContent } = item
  const seal = sealed('openai', { itemId, reasoningEncryptedContent })
  return [{ type: 'reasoning', text: texts.join('\n\n'), providerOptions: { openai: {} }, ...seal }]
}

export function call(
  id: unknown,
  name: unknown,
  input: unknown,
  more: Pick<ToolCallPart, 'providerExecuted' | 'providerOptions'> = {},
): ToolCallPart[] {
  const [toolCallId, toolName] = [nameOf(id), nameOf(name)]
  if (toolCallId === undefined || toolName === undefined) return []
  return [{ type: 'tool-call', toolCallId, toolName, input: boundedValue(input ?? {}), ...more }]
}

/** An image or a file: its data, a data URL, or its address. */
interface Source {
  from: unknown
  mediaType?: unknown
  filename?: unknown
}

function mediumIn({ from, mediaType }: Source): { data: string; mediaType: string } | undefined {
  const given = nameOf(from)
  if (given === undefined) return undefined
  const inline = dataOf(given)
  return {
    data: inline?.data ?? given,
    mediaType: nameOf(mediaType) ?? nameOf(inline?.mediaType) ?? 'image',
  }
}

/** An image or a file in the user's place. */
export function media(source: Source): UserPart[] {
  const medium = mediumIn(source)
  if (!medium) return []
  const { data, mediaType } = medium
  if (mediaType.startsWith('image')) return [{ type: 'image', image: data, mediaType }]
  const filename = nameOf(source.filename)
  return [{ type: 'file', data, mediaType, ...(filename !== undefined && { filename }) }]
}

/** An image or a file that a tool gave. */
export function outputMedia(source: Source): ToolOutputPart[] {
  const medium = mediumIn(source)
  if (!medium) return []
  const { data, mediaType } = medium
  const isUrl = /^[a-z][a-z0-9+.-]*:/i.test(data)
  return [
    { type: 'file', mediaType, data: isUrl ? { type: 'url', url: data } : { type: 'data', data } },
  ]
}

/** Words of a tool, also none. */
export function outputText(value: unknown): ToolOutputPart[] {
  const said = textOf(value)
  return said === undefined ? [] : [{ type: 'text', text: said }]
}

/** What a tool said. */
export function textOutput(value: string, failed: boolean): ToolOutput & { value: string } {
  return { type: failed ? 'error-text' : 'text', value }
}

/** What a tool gave in pieces: one text if all are text. `mark` says of others that the tool failed. */
export function outputOfPieces(
  pieces: readonly ToolOutputPart[],
  failed: boolean,
  mark: ProviderOptions,
): ToolOutput {
  if (pieces.every(({ type }) => type === 'text')) {
    return textOutput(pieces.map((piece) => piece.text ?? '').join('\n'), failed)
  }
  return { type: 'content', value: [...pieces], ...(failed && { providerOptions: mark }) }
}

/** The same where texts stay apart, unless they tell of a failure. */
export function outputOfBlocks(
  pieces: readonly ToolOutputPart[],
  failed: boolean,
  mark: ProviderOptions,
): ToolOutput {
  const texts = pieces.every(({ type }) => type === 'text')
  if (texts && (failed || pieces.length < 2)) return outputOfPieces(pieces, failed, mark)
  return { type: 'content', value: [...pieces], ...(failed && { providerOptions: mark }) }
}

/** The parts, each by the same author. */
export function by(origin: Origin, parts: readonly UserPart[]): OriginPart[] {
  return parts.map((part) => ({ origin, part }))
}

/** The parts as the harness's alone, or divided into what the human said and what was added. */
export function saidBy(harness: boolean, parts: readonly OriginPart[]): OriginPart[] {
  if (!harness) return saidInParts(parts)
  return by(
    'harness',
    parts.map(({ part }) => part),
  )
}

/** A block that a reader doesn't know, as the harness's words. */
export function unknownBlock(block: Fields): OriginPart[] {
  return madeParts(jsonOf(block) ?? '')
}

/** The parts of a block in the human's place, or all of it where they say nothing of its words. */
export function understood(block: Fields, parts: readonly OriginPart[]): OriginPart[] {
  return parts.length > 0 || !holdsWords(block) ? [...parts] : unknownBlock(block)
}

/** The parts of blocks in the human's place, by the type of each; no block vanishes. */
export function saidByType(
  rows: Rows<Fields, UserPart[]>,
  blocks: readonly Fields[],
): OriginPart[] {
  return blocks.flatMap((block) => {
    const row = rowFor(rows, block['type'])
    return row ? understood(block, by('human', row(block))) : unknownBlock(block)
  })
}

/** The record that something comes from. */
export function sourceOf(id: unknown): Metadata | undefined {
  const name = nameOf(id)
  return name === undefined ? undefined : { source: { records: [name] } }
}

/** Where the tokens of a reply are counted: sums of what is there. */
interface Counts {
  input: readonly unknown[]
  output: readonly unknown[]
  cacheRead?: unknown
  cacheWrite?: unknown
}

/** The tokens of a reply; none without any of the input. */
export function usage({ input, output, cacheRead, cacheWrite }: Counts): Usage | undefined {
  const inputTokens = sum(input)
  if (inputTokens === 0) return undefined
  const [cacheReadTokens, cacheWriteTokens] = [countOf(cacheRead), countOf(cacheWrite)]
  return {
    inputTokens,
    outputTokens: sum(output),
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
  }
}

function sum(counts: readonly unknown[]): number {
  return counts.reduce((whole: number, count) => whole + (countOf(count) ?? 0), 0)
}
