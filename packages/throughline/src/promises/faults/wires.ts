import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import type { LanguageModel } from 'ai'

export const wires = ['chat', 'responses', 'anthropic', 'gemini'] as const

export type WireName = (typeof wires)[number]

/** A model of a provider at this address, through the package that people use for it. */
export function modelOn(wire: WireName, url: string, id: string): LanguageModel {
  const settings = { baseURL: `${url}/v1`, apiKey: 'none' }
  switch (wire) {
    case 'chat':
      return createOpenAI(settings).chat(id)
    case 'responses':
      return createOpenAI(settings).responses(id)
    case 'anthropic':
      return createAnthropic(settings)(id)
    case 'gemini':
      return createGoogle({ ...settings, baseURL: `${url}/v1beta` })(id)
  }
}
