/** How an operation is called, in each language that the reference shows and the tests run. */
import { createCall } from './call.js'
import { curlSample } from './curl.js'
import { pythonSample } from './python.js'
import { typescriptSample } from './typescript.js'

/** @typedef {'curl' | 'TypeScript' | 'Python'} SampleLanguage */

/** @type {Record<SampleLanguage, (call: import('./call.js').Call) => string | undefined>} */
const SAMPLES = { curl: curlSample, TypeScript: typescriptSample, Python: pythonSample }

/**
 * @param {import('../model.js').Operation} operation
 * @returns {SampleLanguage[]}
 */
export const languagesOf = ({ sdkMethod }) =>
  sdkMethod ? ['curl', 'TypeScript', 'Python'] : ['curl', 'Python']

/**
 * @param {SampleLanguage} language
 * @param {{ operation: import('../model.js').Operation, draft: import('../try-it/request.js').Draft, serverUrl: string }} options
 */
export const sampleOf = (language, { operation, draft, serverUrl }) =>
  SAMPLES[language](createCall(operation, draft, serverUrl)) ?? ''
