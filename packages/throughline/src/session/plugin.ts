import type { Policy } from '../compaction/policy.ts'
import type { Continuation } from '../log/entry.ts'
import type { Unit } from '../log/steps.ts'
import type { ToolLens } from '../compaction/summary/index/lens.ts'
import type { Template } from '../compaction/summary/template.ts'

/** What extends a session. Where several speak, the first that says something is heard. */
export interface Plugin {
  name: string
  /** Tools whose results are never pruned. */
  protectedTools?: readonly string[]
  /** How to read tools that Throughline does not know; they come before its own. */
  lenses?: readonly ToolLens[]
  template?: () => Template | undefined
  /** Replaces the continuation, vetoes it with `null`, or lets it be with `undefined`. */
  continuation?: (
    proposed: Continuation | null,
    units: readonly Unit[],
  ) => Continuation | null | undefined
}

/** The policy as the plugins extend it. */
export function withPlugins(policy: Policy, plugins: readonly Plugin[]): Policy {
  if (plugins.length === 0) return policy
  return {
    ...policy,
    protectedTools: [
      ...policy.protectedTools,
      ...plugins.flatMap((plugin) => plugin.protectedTools ?? []),
    ],
    lenses: [...plugins.flatMap((plugin) => plugin.lenses ?? []), ...policy.lenses],
    continuation: (units) => {
      const proposed = policy.continuation(units)
      for (const plugin of plugins) {
        const answer = plugin.continuation?.(proposed, units)
        if (answer !== undefined) return answer
      }
      return proposed
    },
  }
}

/** The template of the first plugin that has one. */
export function pluginTemplate(plugins: readonly Plugin[]): Template | undefined {
  for (const plugin of plugins) {
    const template = plugin.template?.()
    if (template) return template
  }
  return undefined
}
