#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 16)) {
  process.stderr.write(
    `throughline: this is Node ${process.versions.node}, but Node 22.16 or newer is required. Install it from https://nodejs.org and try again.\n`,
  )
  process.exitCode = 1
} else {
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
