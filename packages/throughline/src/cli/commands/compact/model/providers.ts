/** How a provider of models is reached. */
export interface Provider {
  name: string
  wire: 'anthropic' | 'openai'
  baseUrl: string
  /** The variables that may hold its key, in order; none for a server of one's own. */
  keys: readonly string[]
  /** The variable that may name another address. */
  baseUrlIn?: string
}

/** The providers that are asked without any package: all of them speak one of two languages. */
export const providers: readonly Provider[] = [
  {
    name: 'anthropic',
    wire: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    keys: ['ANTHROPIC_API_KEY'],
    baseUrlIn: 'ANTHROPIC_BASE_URL',
  },
  {
    name: 'openai',
    wire: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    keys: ['OPENAI_API_KEY'],
    baseUrlIn: 'OPENAI_BASE_URL',
  },
  {
    name: 'google',
    wire: 'openai',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
  },
  openai('openrouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  openai('groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  openai('mistral', 'https://api.mistral.ai/v1', 'MISTRAL_API_KEY'),
  openai('deepseek', 'https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
  openai('xai', 'https://api.x.ai/v1', 'XAI_API_KEY'),
  openai('ollama', 'http://127.0.0.1:11434/v1'),
  openai('lmstudio', 'http://127.0.0.1:1234/v1'),
]

function openai(name: string, baseUrl: string, ...keys: readonly string[]): Provider {
  return { name, wire: 'openai', baseUrl, keys }
}
