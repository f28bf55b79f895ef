// The same in workerd, without Node's compatibility: every module of the package as it is shipped.
import { Miniflare } from 'miniflare'

const worker = new Miniflare({
  modules: true,
  rootPath: import.meta.dirname,
  modulesRoot: import.meta.dirname,
  modulesRules: [{ type: 'ESModule', include: ['**/*.js', '**/*.mjs'] }],
  scriptPath: 'bundled/worker.js',
  compatibilityDate: '2026-01-01',
})
try {
  const response = await worker.dispatchFetch('http://localhost/')
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  console.log(text)
} finally {
  await worker.dispose()
}
