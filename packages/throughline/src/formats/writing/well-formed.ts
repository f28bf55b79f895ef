import { changeStrings } from '../../log/redaction/change-strings.ts'

/** Half of a surrogate pair is no character, and a provider refuses what holds one. */
export function wellFormed<Value>(value: Value): Value {
  return changeStrings(value, (text) => text.toWellFormed())
}
