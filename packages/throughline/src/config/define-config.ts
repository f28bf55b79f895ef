import type { Config } from './config.ts'

/**
 * Gives a configuration back as it is, with its types checked while it is written.
 * @example
 * export default defineConfig({ policy: { keep: '30%' }, models: { 'my-model': { window: '64k' } } })
 */
export function defineConfig(config: Config): Config {
  return config
}
