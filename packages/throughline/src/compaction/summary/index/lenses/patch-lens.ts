import { hasFailed, textOf } from './arguments.ts'
import { readOutcome } from '../outcome/read-outcome.ts'
import { patchEffects } from '../patch/patch-effects.ts'
import type { ToolLens } from '../lens.ts'

/** Patches: Codex, opencode and Copilot. A patch is applied whole or not at all. */
export const patchLens: ToolLens = {
  tools: ['apply_patch', 'applypatch', 'patch', 'apply_unified_diff'],
  read: (call) => {
    const { input, output } = call
    const patch =
      typeof input === 'string'
        ? input
        : textOf(input, 'input', 'patch', 'patchText', 'patch_text', 'diff', 'content')
    if (patch === undefined) return []
    const effects = patchEffects(patch)
    const exitCode = output === undefined ? 0 : (readOutcome(output).exitCode ?? 0)
    if (
      !hasFailed(call) &&
      exitCode === 0 &&
      output?.startsWith('apply_patch verification failed') !== true
    ) {
      return effects
    }
    const first = effects.find((effect) => 'path' in effect)
    const path = first && 'path' in first ? first.path : undefined
    return [
      {
        type: 'failure',
        text: readOutcome(output ?? '').body,
        ...(path !== undefined && { path }),
      },
    ]
  },
}
