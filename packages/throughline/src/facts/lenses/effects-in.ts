import type { Effect } from '../lens.ts'

type Type = Effect['type']

/** The required and optional fields of an effect, with the types of their values. */
const shapes: Readonly<Record<Type, { must: readonly string[]; may: readonly string[] }>> = {
  read: { must: ['path'], may: [] },
  create: { must: ['path'], may: [] },
  edit: { must: ['path'], may: [] },
  rename: { must: ['path', 'to'], may: [] },
  delete: { must: ['path'], may: [] },
  command: { must: ['command'], may: ['output', 'directory', 'session', 'head', 'purpose'] },
  search: { must: ['words'], may: ['path'] },
  todo: { must: ['text', 'status'], may: ['id'] },
  todos: { must: [], may: [] },
  'todo-status': { must: ['id', 'status'], may: ['text'] },
  directory: { must: ['path'], may: [] },
  failure: { must: ['text'], may: ['path'] },
}

/** The valid effects among what a custom lens returned. */
export function effectsIn(given: unknown): Effect[] {
  return Array.isArray(given) ? given.filter(isEffect) : []
}

function isEffect(given: unknown): given is Effect {
  if (typeof given !== 'object' || given === null || !('type' in given)) return false
  const { type, range, entered } = given as Record<string, unknown>
  if (typeof type !== 'string' || !Object.hasOwn(shapes, type)) return false
  const { must, may } = shapes[type as Type]
  const fields = given as Record<string, unknown>
  if (must.some((key) => typeof fields[key] !== 'string')) return false
  if (may.some((key) => fields[key] !== undefined && typeof fields[key] !== 'string')) return false
  return (range === undefined || isRange(range)) && (entered === undefined || isTexts(entered))
}

function isRange(given: unknown): boolean {
  return Array.isArray(given) && given.length === 2 && given.every((line) => Number.isFinite(line))
}

function isTexts(given: unknown): boolean {
  return Array.isArray(given) && given.every((text) => typeof text === 'string')
}
