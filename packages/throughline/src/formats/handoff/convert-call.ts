import { fieldsOf, type Fields } from '../../json/fields.ts'
import type { KnownTool, ToolTable } from './tool-table.ts'

/** The tools of the harness that a session comes from, and of the one that it goes to. */
export interface ToolTables {
  from: ToolTable
  to: ToolTable
  /** Where the session works: a command that names this directory would run there anyway. */
  directory?: string | undefined
}

/** A call in the form of another harness's tool. */
export interface ConvertedCall {
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
  if (decides.size === 0 || rest.some((name) => !mayGo(tool, name, input[name]))) return undefined
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

const listMark = '[].'

/** The value of an argument, and its field in the input. */
function readArgument(input: Fields, name: string): { field: string; value: unknown } | undefined {
  const [field = '', inner] = name.split(listMark)
  if (!Object.hasOwn(input, field)) return undefined
  if (inner === undefined) return { field, value: input[field] }
  const list = input[field]
  // Several at once are more than one call elsewhere.
  const only = Array.isArray(list) && list.length === 1 ? fieldsOf(list[0]) : undefined
  if (!only || !Object.hasOwn(only, inner)) return undefined
  return { field, value: only[inner] }
}

/** The input with one more argument. */
function withArgument(input: Fields, name: string, value: unknown): Fields {
  const [field = '', inner] = name.split(listMark)
  if (inner === undefined) return { ...input, [field]: value }
  const list = input[field]
  const object = Array.isArray(list) ? fieldsOf(list[0]) : undefined
  return { ...input, [field]: [{ ...object, [inner]: value }] }
}
