// The few functions of Preact that the page uses.

export type Vnode = object;
export function h(tag: any, props?: Record<string, any> | null, ...children: any[]): Vnode;
export function render(vnode: Vnode, parent: Element): void;
