import { guardsOf } from './guard.ts'

export const noStrangerDecides = guardsOf('trust', [
  {
    guard: 'no code of a directory is run',
    file: 'config/files/find-files.ts',
    find: "if (paths.basename(path) !== dataName) return 'code'",
    replace: '',
    tests: ['config/files/', 'config/load-config.test.ts'],
  },
  {
    guard: 'no file of another user is read',
    file: 'config/files/find-files.ts',
    find: "if (user !== undefined && found.uid !== user) return 'owner'",
    replace: '',
    tests: ['config/files/', 'config/load-config.test.ts'],
  },
  {
    guard: 'a file that is written is its owner’s from its first byte',
    file: 'cli/output/write-file.ts',
    find: "open(beside, 'wx', 0o600)",
    replace: "open(beside, 'wx')",
    tests: ['cli/output/write-file.test.ts'],
  },
  {
    guard: 'a client is served its own project alone',
    file: 'harnesses/calling/project.ts',
    find: 'return projectOf(directory, place) === project',
    replace: 'return true',
    tests: ['harnesses/calling/'],
  },
  {
    guard: 'who writes to a session elsewhere is told of',
    file: 'session/stored-log.ts',
    find: 'this.#onOthers(others)',
    replace: '',
    tests: ['session/two-at-once.test.ts'],
  },
  {
    guard: 'what takes longer than it may is told to stop',
    file: 'session/in-time.ts',
    find: '        controller.abort(error)\n',
    replace: '',
    tests: ['session/silent-others.test.ts'],
  },
])

export const nothingGrows = guardsOf('growth', [
  {
    guard: 'long work gives way to others',
    file: 'session/loop/pause.ts',
    find: 'if (performance.now() - began < slice) return',
    replace: 'return',
    tests: ['session/loop/pause.test.ts'],
  },
  {
    guard: 'of many rewinds only the last one is folded',
    file: 'log/context/context.ts',
    find: '    index = last\n',
    replace: '',
    tests: ['log/growth.test.ts'],
  },
  {
    guard: 'facts hold no text that a piece was cut out of',
    file: 'facts/own-text.ts',
    find: 'return JSON.parse(JSON.stringify(text)) as string',
    replace: 'return text',
    tests: ['facts/memory.test.ts'],
  },
])
