import { formats } from '../formats.ts'
import { partsOf } from '../../log/message.ts'
import { isFailed, outputWords } from '../../wires/text-pieces.ts'
import { fieldsOf, type Fields } from '../../json/fields.ts'
import type { WrittenMessage, WrittenSession } from '../writing/format-writer.ts'
import type { Message, Part, ToolResultPart, ToolCallPart } from '../../log/message.ts'
import type { KnownTool, ToolTable, WorkKind } from './tool-table.ts'

/** The tools of the harness that a session comes from, and of the one that it goes to. */
interface ToolTables {
  from: ToolTable
  to: ToolTable
  /** Where the session works: a command that names this directory would run there anyway. */
  directory?: string | undefined
}

/** A call in the form of another harness's tool. */
interface ConvertedCall {
  toolName: string
  input: Fields
}

/**
 * One harness's call as the other would make it: the same work by an exact counterpart, with every
 * argument that matters. `undefined` if there is no counterpart.
 */
export function convertCall(
  call: { toolName: string; input: unknown },
  { from, to, directory }: ToolTables,
): ConvertedCall | undefined {
  const input = fieldsOf(call.input) ?? {}
  for (const tool of from.tools) {
    const said = tool.name === call.toolName ? meaningsOf(tool, input, directory) : undefined
    if (said === undefined) continue
    for (const other of to.tools) {
      const fits = other.kind === tool.kind && other.given === undefined
      const converted = fits ? inputFor(other, said) : undefined
      if (converted) return { toolName: other.name, input: converted }
    }
  }
  return undefined
}

/** The arguments of a call by meaning, with the optional ones separate. */
interface Said {
  decides: ReadonlyMap<string, unknown>
  aside: ReadonlyMap<string, unknown>
}

/** `undefined` if it has an unknown argument, or one that no other harness has. */
function meaningsOf(
  tool: KnownTool,
  input: Fields,
  directory: string | undefined,
): Said | undefined {
  const decides = new Map<string, unknown>()
  const aside = new Map<string, unknown>()
  const known = new Set<string>()
  for (const [meaning, name] of Object.entries(tool.arguments)) {
    const found = readArgument(input, name)
    if (!found) continue
    known.add(found.field)
    const isHere = meaning === 'directory' && found.value === directory
    if (isHere || mayGo(tool, name, found.value)) aside.set(meaning, found.value)
    else decides.set(meaning, found.value)
  }
  const rest = Object.keys(input).filter((name) => !known.has(name))
  if (decides.size === 0 || saysMore(tool, input)) return undefined
  if (rest.some((name) => !mayGo(tool, name, input[name]))) return undefined
  return { decides, aside }
}

function mayGo({ asides = [], usual = {} }: KnownTool, name: string, value: unknown): boolean {
  return asides.includes(name) || (Object.hasOwn(usual, name) && usual[name] === value)
}

/** `undefined` if the tool can't be called like this. */
function inputFor(tool: KnownTool, { decides, aside }: Said): Fields | undefined {
  const given = new Map([...aside, ...decides])
  for (const [meaning, by] of Object.entries(tool.toldBy ?? {})) {
    const words = given.get(by)
    if (!given.has(meaning) && typeof words === 'string') given.set(meaning, firstWords(words))
  }
  if (tool.needs.some((meaning) => !given.has(meaning))) return undefined
  let input: Fields = {}
  for (const [meaning, value] of given) {
    const name = Object.hasOwn(tool.arguments, meaning) ? tool.arguments[meaning] : undefined
    if (name !== undefined) input = withArgument(input, name, value)
    else if (decides.has(meaning)) return undefined
  }
  return input
}

const mostWords = 60

function firstWords(text: string): string {
  const [line = ''] = text.slice(0, 1000).trim().split('\n', 1)
  return line.length > mostWords ? `${line.slice(0, mostWords - 1).toWellFormed()}…` : line
}

const listMark = '[]'

/** The value of an argument, and its field in the input. */
function readArgument(input: Fields, name: string): { field: string; value: unknown } | undefined {
  const [field = '', inner] = name.split(listMark)
  if (!Object.hasOwn(input, field)) return undefined
  const list = input[field]
  if (inner === undefined) return { field, value: list }
  // Several at once are more than one call elsewhere.
  if (!Array.isArray(list) || list.length !== 1) return undefined
  const [only] = list as unknown[]
  if (inner === '') return typeof only === 'object' ? undefined : { field, value: only }
  const value = fieldsOf(only)?.[inner.slice(1)]
  return value === undefined ? undefined : { field, value }
}

/** Whether the single object of a list has a field that no argument of the tool names. */
function saysMore(tool: KnownTool, input: Fields): boolean {
  const names = new Set(Object.values(tool.arguments))
  return [...names].some((name) => {
    const [field = '', inner] = name.split(listMark)
    const list = inner === undefined ? [] : input[field]
    const only = Array.isArray(list) ? fieldsOf(list[0]) : undefined
    return Object.entries(only ?? {}).some(
      ([key, value]) => value !== null && !names.has(`${field}${listMark}.${key}`),
    )
  })
}

/** The input with one more argument. */
function withArgument(input: Fields, name: string, value: unknown): Fields {
  const [field = '', inner] = name.split(listMark)
  if (inner === undefined) return { ...input, [field]: value }
  if (inner === '') return { ...input, [field]: [value] }
  const list = input[field]
  const object = Array.isArray(list) ? fieldsOf(list[0]) : undefined
  return { ...input, [field]: [{ ...object, [inner.slice(1)]: value }] }
}

/**
 * Prepares a session of one harness for the model of another. Calls become calls of its own tools
 * if there is an exact counterpart, and are described in words otherwise, so that the model doesn't
 * call missing tools. A note after the summary lists what does the work of the tools that are
 * mentioned. The harnesses are named by their formats.
 */
export function handOver(session: WrittenSession, from: string, to: string): WrittenSession {
  const { directory } = session.facts
  const tables = { from: toolTableOf(from), to: toolTableOf(to), directory }
  const note = toolNote(session, tables)
  const messages = withOwnCalls(session.messages, tables)
  if (session.summary !== undefined) {
    return { ...session, summary: `${session.summary}\n${note}`, messages }
  }
  const first: WrittenMessage = {
    message: { role: 'user', content: note },
    origin: 'harness',
    at: messages[0]?.at ?? 0,
  }
  return { ...session, messages: [first, ...messages] }
}

/** The tools of a harness, by the name of its format; of others, nothing is known but that name. */
export function toolTableOf(format: string): ToolTable {
  return formats.find(({ name }) => name === format)?.tools ?? { label: format, tools: [] }
}

/**
 * Where the session comes from, and which tool here does the work of each tool that it mentions.
 */
function toolNote(session: WrittenSession, { from, to }: ToolTables): string {
  const lines = namesIn(session, from).map((name) => `- ${lineFor(name, from, to)}`)
  const start = `This session began in ${from.label} and continues in ${to.label}, which has different tools.`
  const tools =
    lines.length === 0 ? [] : ['What did the work there, and what does it here:', ...lines]
  const end =
    'Call only the tools that you are given now, whatever other tools are mentioned above or below.'
  return `[${[start, ...tools, end].join('\n')}]`
}

const mostNames = 40

/** The tools that the tail calls, then those that the summary mentions. */
function namesIn({ summary = '', messages }: WrittenSession, from: ToolTable): string[] {
  const names = new Set<string>()
  for (const { message } of messages) {
    for (const part of partsOf(message)) if (part.type === 'tool-call') names.add(part.toolName)
  }
  const known = new Set(from.tools.map(({ name }) => name))
  for (const name of namedIn(summary)) if (known.has(name)) names.add(name)
  return [...names].slice(0, mostNames)
}

function lineFor(name: string, from: ToolTable, to: ToolTable): string {
  const tool = from.tools.find((each) => each.name === name)
  if (!tool) return `${name}: not known here`
  const same = [tool.kind, ...(insteadOf[tool.kind] ?? [])]
  const others = to.tools.filter(({ given }) => given !== 'seldom')
  const other = same.flatMap((kind) => others.filter((each) => each.kind === kind))[0]
  return `${shown(tool)} ${tool.kind}: ${other ? shown(other) : 'nothing of the kind'}`
}

function shown({ name, arguments: named, needs, own = [] }: KnownTool): string {
  const fields = needs.map((meaning) => (named[meaning] ?? '').replace(/\[\].*$/, ''))
  return `${name}{${[...new Set([...fields, ...own])].join(', ')}}`
}

/** What else does the work if there is no separate tool for it, the closest first. */
const insteadOf: Readonly<Partial<Record<WorkKind, readonly WorkKind[]>>> = {
  'reads a file': ['runs a command'],
  'writes a whole file': ['applies a patch', 'runs a command'],
  'changes a part of a file': ['applies a patch', 'writes a whole file'],
  'applies a patch': ['changes a part of a file', 'writes a whole file'],
  'searches in files': ['runs a command'],
  'finds files by name': ['runs a command'],
  'lists a directory': ['runs a command'],
}

/**
 * The words of a text that are used as names of tools: in backticks, before their arguments, as the
 * tool of a placeholder, or with an underscore. `read` and `Edit` are also ordinary words.
 */
function* namedIn(text: string): Generator<string> {
  for (const { 0: word, index } of text.matchAll(/[A-Za-z][\w-]*/g)) {
    const before = text.slice(Math.max(0, index - placeholderMark.length), index)
    const after = text[index + word.length] ?? ''
    if (before.endsWith('`') && after === '`') yield word
    else if (after === '{' || after === '(' || word.includes('_')) yield word
    else if (before === placeholderMark) yield word
  }
}

const placeholderMark = 'tool="'

/**
 * The messages with calls of the new harness's tools only; the others follow their step in words.
 */
function withOwnCalls(messages: readonly WrittenMessage[], tables: ToolTables): WrittenMessage[] {
  const converted = convertedCalls(messages, tables)
  return stepsOf(messages).flatMap((step) => [
    ...step.flatMap((written) => kept(written, converted)),
    ...told(step, converted, tables.from),
  ])
}

type Converted = ReadonlyMap<string, ConvertedCall>

/** By call id; ids are unique in a written session. */
function convertedCalls(messages: readonly WrittenMessage[], tables: ToolTables): Converted {
  const converted = new Map<string, ConvertedCall>()
  for (const { message } of messages) {
    for (const part of partsOf(message)) {
      const call = part.type === 'tool-call' ? convertCall(part, tables) : undefined
      if (part.type === 'tool-call' && call) converted.set(part.toolCallId, call)
    }
  }
  return converted
}

/** Each message with the results that follow it. */
function stepsOf(messages: readonly WrittenMessage[]): WrittenMessage[][] {
  const steps: WrittenMessage[][] = []
  for (const written of messages) {
    const step = steps.at(-1)
    if (step && written.message.role === 'tool') step.push(written)
    else steps.push([written])
  }
  return steps
}

function kept(written: WrittenMessage, converted: Converted): WrittenMessage[] {
  const { message } = written
  if (typeof message.content === 'string') return [written]
  const content = partsOf(message).flatMap((part): Part[] => {
    if (part.type !== 'tool-call' && part.type !== 'tool-result') return [part]
    const call = converted.get(part.toolCallId)
    if (!call) return []
    return part.type === 'tool-call'
      ? [{ ...part, ...call }]
      : [{ ...part, toolName: call.toolName }]
  })
  return content.length === 0 ? [] : [{ ...written, message: { ...message, content } as Message }]
}

/** In a message without an author: a model would imitate what it finds among its own words. */
function told(
  step: readonly WrittenMessage[],
  converted: Converted,
  from: ToolTable,
): WrittenMessage[] {
  const parts = step.flatMap(({ message }) => partsOf(message))
  const results = new Map<string, ToolResultPart>()
  for (const part of parts) if (part.type === 'tool-result') results.set(part.toolCallId, part)
  const texts = parts.flatMap((part) =>
    part.type === 'tool-call' && !converted.has(part.toolCallId)
      ? [toldCall(part, results.get(part.toolCallId), from)]
      : [],
  )
  if (texts.length === 0) return []
  const message: Message = { role: 'user', content: texts.join('\n\n') }
  return [{ message, origin: 'harness', at: step.at(-1)?.at ?? 0 }]
}

/** A call and its outcome, in words. */
function toldCall(
  { toolName, input }: ToolCallPart,
  result: ToolResultPart | undefined,
  { label }: ToolTable,
): string {
  const start = `In ${label} the tool ${toolName} was called with ${JSON.stringify(input)}`
  if (!result) return `[${start}.]`
  const how = isFailed(result.output) ? 'failed' : 'gave'
  return `[${start}. It ${how}:]\n${outputWords(result.output)}`
}
