import { estimateTokens } from '../../tokens/estimate.ts'
import { createMessageCounter } from '../../tokens/message-tokens.ts'
import { withCoreSections } from '../../compaction/summary/template.ts'
import { headingKey } from '../../facts/sections.ts'
import { checkPlugin } from './define-plugin.ts'
import { firstAnswer } from './first-answer.ts'
import { readContinuation, readTemplate } from './read-answers.ts'
import type { Policy } from '../../compaction/policy.ts'
import type { Section, Template } from '../../compaction/summary/template.ts'
import type { Continuation } from '../../log/entry.ts'
import type { Plugin } from './plugin.ts'
import type { PluginFailed } from './errors.ts'

/** Applies plugins within the limits of what is possible. */
export interface PluginLimits {
  /** By default, the error is thrown. */
  failed?: PluginFailed
  /** Whether a continuation leaves room for everything else that is kept. */
  fits?: (message: Continuation['message']) => boolean
}

// A quarter of the smallest default `keep`.
const longestContinuation = 1_000
const countMessage = createMessageCounter(estimateTokens)

/**
 * The policy, extended by the plugins.
 * @throws PluginError if one of them is not a valid plugin.
 */
export function withPlugins(
  policy: Policy,
  plugins: readonly Plugin[],
  {
    failed = thrown,
    fits = (message) => countMessage(message) <= longestContinuation,
  }: PluginLimits = {},
): Policy {
  if (plugins.length === 0) return policy
  plugins.forEach(checkPlugin)
  return {
    ...policy,
    protectedTools: [
      ...policy.protectedTools,
      ...plugins.flatMap((plugin) => plugin.protectedTools ?? []),
    ],
    lenses: [...plugins.flatMap((plugin) => plugin.lenses ?? []), ...policy.lenses],
    template: withSections(policy.template, plugins),
    continuation: (units) => {
      const proposed = policy.continuation(units)
      const answered = firstAnswer(plugins, {
        hook: 'continuation',
        ask: (plugin) => plugin.continuation?.(proposed, units),
        read: (given) => readContinuation(given, proposed, fits),
        failed,
      })
      return answered ? answered.answer : proposed
    },
  }
}

/**
 * The template of a compaction, including the sections that plugins add: the requested template, or
 * that of the first plugin that has one; `undefined` if it is the policy's.
 */
export function pluginTemplate(
  plugins: readonly Plugin[],
  asked?: Template,
  failed: PluginFailed = thrown,
): Template | undefined {
  const template = asked ?? ownTemplate(plugins, failed)
  return template && withSections(template, plugins)
}

function ownTemplate(plugins: readonly Plugin[], failed: PluginFailed): Template | undefined {
  return firstAnswer(plugins, {
    hook: 'template',
    ask: (plugin) => plugin.template?.(),
    read: readTemplate,
    failed,
  })?.answer
}

function withSections(template: Template, plugins: readonly Plugin[]): Template {
  const added = plugins.flatMap((plugin) => plugin.sections ?? [])
  if (added.length === 0) return template
  const sections: Section[] = [...withCoreSections(template).sections]
  const known = new Set(sections.map(({ heading }) => headingKey(heading)))
  for (const section of added) {
    const key = headingKey(section.heading)
    if (!known.has(key)) sections.push(section)
    known.add(key)
  }
  return { sections }
}

function thrown(error: Error): never {
  throw error
}
