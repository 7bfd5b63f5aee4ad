;;; ai-kb.el --- Browse and edit a knowledge base in git  -*- lexical-binding: t; -*-

;; Author: The Quaid authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: outlines, convenience
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; A knowledge base is a git repository of org-roam nodes that agents and
;; people write by one safe path, the program `ai-kb'.  This package browses it
;; (`ai-kb-dashboard', `ai-kb-find-node', `ai-kb-search', `ai-kb-map'), commits
;; what is saved (`ai-kb-global-mode'), and switches org-roam to it and back
;; (`ai-kb-switch').  org-roam is optional.

;;; Code:

(require 'ai-kb-cli)
(require 'ai-kb-edit)
(require 'ai-kb-profile)
(require 'ai-kb-db)
(require 'ai-kb-browse)
(require 'ai-kb-search)
(require 'ai-kb-map)
(require 'ai-kb-write)
(require 'ai-kb-curate)
(require 'quaid)
(require 'transient nil t)

(declare-function which-key-add-keymap-based-replacements "ext:which-key")

(defconst ai-kb--keys
  '(("a" ai-kb-switch "switch to the knowledge base")
    ("A" ai-kb-switch-back "switch back")
    ("d" ai-kb-dashboard "dashboard")
    ("f" ai-kb-find-node "find a node")
    ("s" ai-kb-search "search")
    ("o" ai-kb-show-node "open the pointer at point")
    ("b" ai-kb-backlinks "backlinks")
    ("m" ai-kb-map "map")
    ("r" ai-kb-remember "remember")
    ("c" ai-kb-capture "capture a source")
    ("u" ai-kb-curate "curate")
    ("y" ai-kb-sync "sync with the remote")
    ("D" ai-kb-db-sync "sync the database of org-roam")
    ("q" quaid-query "ask the whole memory")
    ("g" quaid-open "open a page")
    ("k" quaid-capture "remember in the notebook"))
  "Keys after the prefix, their commands, and what they are called.")

(defvar ai-kb-command-map
  (let ((map (make-sparse-keymap)))
    (dolist (each ai-kb--keys map)
      (define-key map (car each) (cadr each))))
  "The commands of the knowledge base, for a prefix key.")
(fset 'ai-kb-command-map ai-kb-command-map)

(with-eval-after-load 'which-key
  (when (fboundp 'which-key-add-keymap-based-replacements)
    (dolist (each ai-kb--keys)
      (which-key-add-keymap-based-replacements ai-kb-command-map (car each) (nth 2 each)))))

(defun ai-kb--menu-rows (keys)
  "The rows of a menu that have KEYS."
  (mapcar (lambda (key)
            (let ((row (assoc key ai-kb--keys)))
              (list key (nth 2 row) (nth 1 row))))
          keys))

;; It is evaluated, so that the package compiles where there is no transient.
(when (fboundp 'transient-define-prefix)
  (eval
   `(transient-define-prefix ai-kb-menu ()
      "The commands of the knowledge base."
      [["Browse" ,@(ai-kb--menu-rows '("d" "f" "s" "o" "b" "m"))]
       ["Write" ,@(ai-kb--menu-rows '("r" "c" "u"))]
       ["Keep" ,@(ai-kb--menu-rows '("a" "A" "y" "D"))]
       ["Memory" ,@(ai-kb--menu-rows '("q" "g" "k"))]])
   t)
  (define-key ai-kb-command-map "?" 'ai-kb-menu))

;;;###autoload
(defun ai-kb-setup (&optional prefix)
  "Set everything up: nodes commit when saved, and keys after PREFIX.
What an Emacs that was killed has left of its switch is put right."
  (ai-kb-global-mode 1)
  (define-key global-map (kbd (or prefix "C-c n")) 'ai-kb-command-map)
  (if after-init-time
      (ai-kb-assert-personal)
    (add-hook 'emacs-startup-hook #'ai-kb-assert-personal)))

(provide 'ai-kb)
;; Local Variables:
;; checkdoc-verb-check-experimental-flag: nil
;; End:
;;; ai-kb.el ends here
