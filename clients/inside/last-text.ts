import type { ServedRequest } from 'throughline/testing/provider'

/** What was said last in a request. */
export function lastTextOf({ said }: ServedRequest): string {
  const last = said.findLast((part) => part.type === 'text' && part.role !== 'system')
  return last?.type === 'text' ? last.text : ''
}
