// Loaded before everything else by run.ts: says at the end, on file descriptor 3, what the process
// took and, if it is asked, which files of the package it loaded.
const { writeSync } = require('node:fs')
const { registerHooks } = require('node:module')

const files = []
if (process.env.COUNT_FILES === '1') {
  registerHooks({
    load(url, context, nextLoad) {
      if (url.startsWith('file:') && url.includes('/throughline/')) files.push(url)
      return nextLoad(url, context)
    },
  })
}

process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  writeSync(3, JSON.stringify({ milliseconds: (user + system) / 1000, files }))
})
