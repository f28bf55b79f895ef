#!/usr/bin/env node
const { env, platform, versions } = process
const [major, minor] = versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 16)) {
  process.stderr.write(
    `throughline: this is Node ${versions.node}, but Node 22.16 or newer is required. Install it from https://nodejs.org and try again.\n`,
  )
  process.exitCode = 1
} else {
  keepCompiledCode()
  import('../dist/command.js').then(
    async ({ main }) => {
      process.exitCode = await main(process.argv.slice(2))
    },
    (error) => {
      process.stderr.write(
        `throughline: the installation is incomplete (${error.message}). Install it again, or run "npm run build" in its repository.\n`,
      )
      process.exitCode = 1
    },
  )
}

/**
 * The next start need not compile again. Node's own place is the temporary folder, where other users
 * may put code in our name: it is kept in the user's cache folder, or not at all.
 */
function keepCompiledCode() {
  const { isAbsolute, join } = process.getBuiltinModule('node:path')
  const usual = platform === 'darwin' ? ['Library', 'Caches'] : ['.cache']
  const atHome = env.HOME && join(env.HOME, ...usual)
  const caches = platform === 'win32' ? env.LOCALAPPDATA : env.XDG_CACHE_HOME || atHome
  if (!caches || !isAbsolute(caches)) return
  const { enableCompileCache } = process.getBuiltinModule('node:module')
  enableCompileCache?.(join(caches, 'throughline', 'compiled'))
}
