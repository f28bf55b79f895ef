/** So many changed records of each format are read in a full run: 200 files of 50. */
export const fuzzed = { files: 200, perFile: 50 }
