import type { Config } from './config.ts'

/**
 * Returns a configuration unchanged, with its types checked as you write it.
 * @example
 * export default defineConfig({ policy: { keep: '30%' }, models: { 'my-model': { window: '64k' } } })
 */
export function defineConfig(config: Config): Config {
  return config
}
