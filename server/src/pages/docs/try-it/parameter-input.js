/** The input of a parameter in the path, the query or a header. */
import { controlAttributes, h, requiredMark, setProblem, uniqueId } from '../dom.js'
import { createExample } from '../schema/example.js'
import { withPicker } from './id-picker.js'
import { parameterKey } from './request.js'

/**
 * @param {{ model: import('../model.js').Model, operation: import('../model.js').Operation, parameter: any, draft: import('./request.js').Draft, onChange: () => void }} options
 */
export function parameterInput({ model, operation, parameter, draft, onChange }) {
  const id = uniqueId('input')
  const problem = h('p', { class: 'problem', id: `${id}-problem`, hidden: true })
  const control = parameterControl({ model, parameter, id })
  control.addEventListener('input', () => {
    draft.values[parameterKey(parameter)] = control.value
    setProblem(control, problem, '')
    onChange()
  })
  const check = () => {
    const isMissing = parameter.required && !control.value.trim()
    setProblem(control, problem, isMissing ? `${parameter.name} is required` : '')
    return isMissing ? control : undefined
  }
  const { name, schema } = parameter
  const field = { name, pattern: model.reader.read(schema).notes.pattern }
  const label = h(
    'label',
    { for: id },
    h('code', {}, parameter.name),
    parameter.required && requiredMark(),
  )
  return {
    place: parameter.in,
    required: Boolean(parameter.required),
    row: h(
      'div',
      { class: 'input-row' },
      label,
      withPicker(control, { model, operation, field }),
      problem,
    ),
    check,
  }
}

/** @param {{ model: import('../model.js').Model, parameter: any, id: string }} options */
function parameterControl({ model, parameter, id }) {
  const shape = model.reader.read(parameter.schema)
  const attributes = controlAttributes(id, Boolean(parameter.required))
  const values = shape.types.has('boolean') ? ['true', 'false'] : shape.values
  if (values && !shape.types.has('array')) {
    return h(
      'select',
      attributes,
      h('option', { value: '' }, '–'),
      values.map((v) => h('option', {}, String(v))),
    )
  }
  const { value } = createExample({
    reader: model.reader,
    schema: { allOf: [{ properties: { [parameter.name]: parameter.schema } }] },
    mode: 'request',
    full: true,
  })
  const sample = [value[parameter.name]].flat().join(',')
  const isTelling = sample && sample !== 'text' && sample !== '[object Object]'
  return h('input', {
    ...attributes,
    type: 'text',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: isTelling ? `e.g. ${sample}` : '',
  })
}
