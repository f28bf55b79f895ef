import { fieldsOf, textOf } from '../../json/fields.ts'
import type { AssembleCall } from './api.ts'

// The host resolves it for its plugins; elsewhere there is no such package.
const host = 'openclaw/plugin-sdk/core'

/**
 * What the memory plugins of the host have to say in the system prompt. The host leaves that to the
 * engine in its slot.
 */
export function memoryPrompt(): (call: AssembleCall) => string | undefined {
  let build: ((call: object) => unknown) | undefined
  import(/* @vite-ignore */ host).then(
    (core: unknown) => {
      const found = fieldsOf(core)?.['buildMemorySystemPromptAddition']
      if (typeof found === 'function') build = found as typeof build
    },
    () => undefined,
  )
  return ({ availableTools = new Set(), citationsMode, sessionKey }) =>
    textOf(build?.({ availableTools, citationsMode, agentSessionKey: sessionKey }))
}
