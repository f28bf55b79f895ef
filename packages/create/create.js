#!/usr/bin/env node
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const templatesFolder = join(import.meta.dirname, 'templates')
const names = readdirSync(templatesFolder).sort()
const usual = 'ai-sdk'
const manifests = {
  'ai-sdk': { '@ai-sdk/openai': '^4.0.118', ai: '^7.0.173', zod: '^4.6.0' },
  bare: {},
  langchain: {
    '@langchain/core': '^1.4.0',
    '@langchain/langgraph': '^1.7.3',
    '@langchain/openai': '^1.6.0',
    langchain: '^1.5.14',
    zod: '^4.6.0',
  },
}

const help = `Starts an agent that never outgrows its window.

  npm create throughline@latest FOLDER -- --template ${names.join('|')}

  FOLDER            where it goes; must be empty or new
  --template NAME   ${names.join(', ')} (default ${usual})`

try {
  const asked = argumentsIn(process.argv.slice(2))
  console.log(asked ? created(asked) : help)
} catch (error) {
  console.error(`create-throughline: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 2
}

/** @param {string[]} argv */
function argumentsIn(argv) {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      template: { type: 'string', default: usual },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return undefined
  const [folder, ...more] = positionals
  if (folder === undefined || more.length > 0) {
    throw new Error('name one folder, such as my-agent. To see all options: --help')
  }
  if (!names.includes(values.template)) {
    throw new Error(`there is no template ${values.template}. Use one of ${names.join(', ')}.`)
  }
  return { folder, template: values.template }
}

/** @param {{ folder: string, template: string }} asked */
function created({ folder, template }) {
  const path = resolve(folder)
  if (existsSync(path) && readdirSync(path).length > 0) {
    throw new Error(`${folder} is not empty. Name a new folder.`)
  }
  mkdirSync(path, { recursive: true })
  cpSync(join(templatesFolder, template), path, { recursive: true })
  const manifest = {
    name: nameFor(path),
    private: true,
    type: 'module',
    scripts: { start: 'node agent.ts' },
    dependencies: { throughline: '^0.2.0', ...manifests[template] },
    engines: { node: '>=22.18.0' },
  }
  writeFileSync(join(path, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  // npm leaves a file of this name out of a package.
  writeFileSync(join(path, '.gitignore'), 'node_modules/\nsessions.db*\n')
  const place = relative(process.cwd(), path) || '.'
  return `Made ${place} from the template ${template}. Go on with:

  cd ${place}
  npm install
  OPENAI_API_KEY=… npm start "What is in this folder?"`
}

/** @param {string} path */
function nameFor(path) {
  const name = basename(path)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return name === '' ? 'agent' : name
}
