import { fieldsOf, type Fields } from '../../json/fields.ts'
import { MessageConversionError } from './errors.ts'

const deepest = 200

/**
 * The fields of a message, if a store can keep them: what JSON cannot say would be lost there.
 * @throws MessageConversionError
 */
export function plainFields(value: unknown, place: string): Fields {
  const fields = fieldsOf(value)
  if (!fields) throw new MessageConversionError({ place, problem: 'an object is expected here' })
  checkPlain(fields, place, deepest)
  return fields
}

function checkPlain(value: unknown, place: string, levels: number): void {
  const problem = problemOf(value, levels)
  if (problem !== undefined) throw new MessageConversionError({ place, problem })
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    value.forEach((item: unknown, index) => checkPlain(item, `${place}[${index}]`, levels - 1))
    return
  }
  for (const [key, field] of Object.entries(value)) {
    if (field !== undefined) checkPlain(field, `${place}.${key}`, levels - 1)
  }
}

function problemOf(value: unknown, levels: number): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined
    case 'number':
      return Number.isFinite(value) ? undefined : `${value} is no number that JSON can say`
    case 'object':
      if (value === null) return undefined
      if (levels === 0) return `nested deeper than ${deepest} levels`
      return Array.isArray(value) || isPlain(value)
        ? undefined
        : 'an object of a class cannot be said in JSON: give its plain data'
    default:
      return `a value of the type ${typeof value} cannot be said in JSON`
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
