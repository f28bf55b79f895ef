import { fieldsOf } from '../../json/fields.ts'

/** Whether a value of unknown origin is of a shape. */
export type Shape = (value: unknown) => boolean

export const anything: Shape = () => true
export const text: Shape = (value) => typeof value === 'string'
export const flag: Shape = (value) => typeof value === 'boolean'
export const amount: Shape = (value) => typeof value === 'number' && Number.isFinite(value)
export const seq: Shape = (value) => Number.isSafeInteger(value) && Number(value) >= 0

export function oneOf(...values: readonly string[]): Shape {
  return (value) => typeof value === 'string' && values.includes(value)
}

export function listOf(item: Shape): Shape {
  return (value) => Array.isArray(value) && value.every(item)
}

export function either(...shapes: readonly Shape[]): Shape {
  return (value) => shapes.some((shape) => shape(value))
}

/** An object with these fields; those whose name ends in `?` may be missing, others may be there. */
export function object(fields: Readonly<Record<string, Shape>> = {}): Shape {
  const checks = Object.entries(fields).map(([name, shape]) => ({
    name: name.replace(/\?$/, ''),
    shape: name.endsWith('?') ? either(missing, shape) : shape,
  }))
  return (value) => {
    const own = fieldsOf(value)
    return own !== undefined && checks.every(({ name, shape }) => shape(own[name]))
  }
}

/** An object whose field of this name says which of the shapes it has. */
export function taggedBy(
  name: string,
  shapes: Readonly<Record<string, Shape>>,
  other: Shape = () => false,
): Shape {
  const known = new Map(Object.entries(shapes))
  return (value) => {
    const tag = fieldsOf(value)?.[name]
    return typeof tag === 'string' && (known.get(tag) ?? other)(value)
  }
}

function missing(value: unknown): boolean {
  return value === undefined
}
