export { defineConfig } from './config.ts'
export { loadConfig } from './load-config.ts'
export { pluginsOf, policyOf, windowFor } from './policy-of.ts'
