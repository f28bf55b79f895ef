import { fieldsOf, hasFailed, textOf } from './arguments.ts'
import { readOutcome } from '../outcome/read-outcome.ts'
import { patchEffects } from '../patch/patch-effects.ts'
import type { Effect, ToolLens } from '../lens.ts'

/**
 * Patches: Codex, opencode, Copilot and OpenAI's own tool. A patch is applied completely or not at
 * all.
 */
export const patchLens: ToolLens = {
  tools: ['apply_patch', 'applypatch', 'patch', 'apply_unified_diff'],
  read: (call) => {
    const { input, output } = call
    const operation = operationEffects(input)
    const patch =
      typeof input === 'string'
        ? input
        : textOf(input, 'input', 'patch', 'patchText', 'patch_text', 'diff', 'content')
    if (patch === undefined && operation === undefined) return []
    const effects = operation ?? patchEffects(patch ?? '')
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

const OPERATIONS = new Map<unknown, 'create' | 'edit' | 'delete'>([
  ['create_file', 'create'],
  ['update_file', 'edit'],
  ['delete_file', 'delete'],
])

/** OpenAI's own tool names its single file next to the patch. */
function operationEffects(input: unknown): Effect[] | undefined {
  const type = OPERATIONS.get(fieldsOf(input)['type'])
  const path = textOf(input, 'path')
  return type === undefined || path === undefined ? undefined : [{ type, path }]
}
