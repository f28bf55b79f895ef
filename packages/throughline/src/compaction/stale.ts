import type { Ref } from '../log/entry.ts'
import type { Unit } from '../log/steps.ts'
import type { ToolLens } from './summary/index/lens.ts'

export function staleRefs(_units: readonly Unit[], _lenses: readonly ToolLens[]): Set<Ref> {
  return new Set()
}
