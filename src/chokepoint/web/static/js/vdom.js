// A description of the page (`h`), and the least change that makes the page agree with it (`patch`).

/** @typedef {{tag: string, key: any, props: Record<string, any>, children: Vnode[], text: string}} Vnode */

const SVG = "http://www.w3.org/2000/svg";

/** What a DOM node was made from. @type {WeakMap<Node, Vnode>} */
const made = new WeakMap();

/**
 * @param {string} tag @param {Record<string, any>|null} [props] @param {...any} children
 * @returns {Vnode}
 */
export function h(tag, props, ...children) {
  /** @type {Vnode[]} */
  const list = [];
  flatten(children, list);
  return { tag, key: props?.key ?? null, props: props ?? {}, children: list, text: "" };
}

/** @param {any[]} children @param {Vnode[]} out */
function flatten(children, out) {
  for (const child of children) {
    if (Array.isArray(child)) flatten(child, out);
    else if (child === null || child === undefined || child === false) continue;
    else if (typeof child === "object") out.push(child);
    else out.push({ tag: "", key: null, props: {}, children: [], text: String(child) });
  }
}

/** Make the children of `parent` be what is described. @param {Element} parent @param {Vnode[]} wanted */
export function patch(parent, wanted) {
  const old = [...parent.childNodes];
  /** @type {Map<any, Node>} */
  const keyed = new Map();
  for (const node of old) {
    const key = made.get(node)?.key;
    if (key !== null && key !== undefined) keyed.set(key, node);
  }
  const used = new Set();
  let next = 0;
  wanted.forEach((vnode, place) => {
    let node = null;
    if (vnode.key !== null) {
      const found = keyed.get(vnode.key);
      if (found && made.get(found)?.tag === vnode.tag) node = found;
    } else {
      while (next < old.length && (made.get(old[next])?.key ?? null) !== null) next++;
      const found = old[next];
      if (found && made.get(found)?.tag === vnode.tag) node = found;
      if (found) next++;
    }
    if (node) update(node, vnode);
    else node = create(vnode, parent);
    used.add(node);
    const there = parent.childNodes[place];
    if (there !== node) parent.insertBefore(node, there ?? null);
  });
  for (const node of old) if (!used.has(node)) node.remove();
}

/** @param {Vnode} vnode @param {Element} parent @returns {Node} */
function create(vnode, parent) {
  if (!vnode.tag) {
    const text = document.createTextNode(vnode.text);
    made.set(text, vnode);
    return text;
  }
  const svg = vnode.tag === "svg" || (parent.namespaceURI === SVG && parent.tagName !== "foreignObject");
  const node = svg ? document.createElementNS(SVG, vnode.tag) : document.createElement(vnode.tag);
  const blank = { tag: vnode.tag, key: vnode.key, props: {}, children: [], text: "" };
  made.set(node, blank);
  update(node, vnode);
  return node;
}

/** @param {Node} node @param {Vnode} vnode */
function update(node, vnode) {
  const before = made.get(node);
  made.set(node, vnode);
  if (!(node instanceof Element)) {
    if (node.textContent !== vnode.text) node.textContent = vnode.text;
    return;
  }
  const old = before?.props ?? {};
  for (const name in old) if (!(name in vnode.props)) setProp(node, name, null, old[name]);
  // Children first: a select can only take a value that is among its options.
  patch(node, vnode.children);
  for (const name in vnode.props) setProp(node, name, vnode.props[name], old[name]);
}

/** @param {Element} node @param {string} name @param {any} value @param {any} old */
function setProp(node, name, value, old) {
  if (name === "key") return;
  if (name.startsWith("on")) {
    /** @type {any} */ (node)[name.toLowerCase()] = value;
  } else if (name === "style") {
    const style = /** @type {any} */ (node).style;
    for (const part in old ?? {}) if (!(part in (value ?? {}))) style.removeProperty(part);
    for (const part in value ?? {}) if (value[part] !== old?.[part]) style.setProperty(part, value[part]);
  } else if (name === "value" || name === "checked" || name === "open") {
    // What the visitor typed is in the property, not in the attribute.
    if (/** @type {any} */ (node)[name] !== value) /** @type {any} */ (node)[name] = value;
  } else if (value === old) {
    return;
  } else if (value === null || value === undefined || value === false) {
    node.removeAttribute(name);
  } else {
    node.setAttribute(name, value === true ? "" : String(value));
  }
}
