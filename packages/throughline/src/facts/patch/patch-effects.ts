import { envelopeEffects } from './envelope.ts'
import { unifiedEffects } from './unified.ts'
import type { Effect } from '../lens.ts'

/** What a patch does to files, in whichever of the two forms it is written. */
export function patchEffects(patch: string): Effect[] {
  return patch.includes('*** ') && /^\*\*\* (Begin Patch|Add|Update|Delete)/m.test(patch)
    ? envelopeEffects(patch)
    : unifiedEffects(patch)
}
