import { simulateStreamingMiddleware, wrapLanguageModel, type LanguageModel } from 'ai'
import { checkAiSdk } from './peer-version-error.ts'
import { aiSdkStep } from './ai-sdk-step.ts'
import { modelOf } from './provider-options.ts'
import type { AiSdkStepOptions } from './step-options.ts'
import type { RunStep } from '../../session/loop/loop.ts'

/**
 * The same as `aiSdkStep` for a provider that doesn't stream, or not well: each answer is requested
 * as a whole, and arrives as one part of each kind. Settings and guarantees are those of
 * `aiSdkStep`.
 * @example
 * await session.say('Why does the test fail?')
 * await run({ session, step: aiSdkGenerateStep({ model, tools }) })
 */
export function aiSdkGenerateStep(options: AiSdkStepOptions): RunStep {
  checkAiSdk()
  const { prepareStep } = options
  return aiSdkStep({
    ...options,
    model: whole(options.model),
    ...(prepareStep && {
      prepareStep: async (step) => {
        const changed = await prepareStep(step)
        return changed?.model ? { ...changed, model: whole(changed.model) } : changed
      },
    }),
  })
}

function whole(model: LanguageModel): LanguageModel {
  const middleware = simulateStreamingMiddleware()
  return wrapLanguageModel({ model: modelOf(model), middleware })
}
