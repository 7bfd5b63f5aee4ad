;;; ai-kb-profile.el --- org-roam in the knowledge base, and back  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; org-roam knows one directory and one database at a time, and a person's
;; configuration around it is full of hooks and commands that mean their own
;; notes.  `ai-kb-switch' installs a profile, `ai-kb-switch-back' restores what
;; was there, exactly.  What the profile consists of is data: four variables
;; that can be extended.

;;; Code:

(require 'ai-kb-cli)

(declare-function org-roam-db--close-all "ext:org-roam-db")
(declare-function ai-kb-db-sync "ai-kb-db")

(defcustom ai-kb-database (locate-user-emacs-file "org-roam-ai.db")
  "The database of org-roam for the knowledge base.  It can be made anew."
  :type 'file
  :group 'ai-kb)

(defcustom ai-kb-state-directory (locate-user-emacs-file "ai-kb/")
  "Where Emacs notes that it has switched, in case that it is killed."
  :type 'directory
  :group 'ai-kb)

(defun ai-kb-exclude-regexp ()
  "What is no node: captures, the index, the contract and the README.
org-roam 2.2 matches whole paths and 2.3 those within its directory.  This
holds for both, wherever the knowledge base lies."
  (concat "\\`\\(?:" (regexp-quote (ai-kb-root)) "\\)?"
          "\\(?:\\(?:[^/]+/\\)*\\(?:raw/\\|index[^/]*\\.org\\'\\)"
          "\\|\\(?:README\\|AGENT_CONTRACT\\)\\.org\\'\\)"))

(defun ai-kb-capture-templates ()
  "The only templates of org-roam while it is in the knowledge base."
  `(("n" "node" plain "%?"
     :target (file+head
              "%<%Y%m%d%H%M%S>-${slug}.org"
              ,(concat ":PROPERTIES:\n:PROJECTS: :general:\n:CREATED: %<%Y-%m-%d>\n"
                       ":UPDATED: %<%Y-%m-%d>\n:CREATED_BY: human\n:CONFIDENCE: user-stated\n"
                       ":VISIBILITY: personal\n:SOURCE: Emacs %<%Y-%m-%d>\n:STATUS: current\n"
                       ":SUMMARY: %^{Summary, one sentence}\n:END:\n"
                       "#+title: ${title}\n#+filetags: :observation:\n\n"))
     :unnarrowed t)))

(defcustom ai-kb-profile-variables
  '((org-roam-directory . ai-kb-root)
    (org-roam-db-location . (lambda () ai-kb-database))
    (org-roam-file-exclude-regexp . ai-kb-exclude-regexp)
    (org-roam-capture-templates . ai-kb-capture-templates)
    (org-roam-capture-ref-templates . nil)
    (org-roam-dailies-directory . "raw/no-dailies/")
    (org-roam-dailies-capture-templates . nil)
    (org-id-locations-file . (lambda () (concat ai-kb-database ".ids")))
    (org-id-locations . nil)
    (org-id-files . nil)
    (org-id-extra-files . nil)
    (org-refile-targets . nil)
    (org-agenda-files . :same))
  "Variables of the profile, and their values in the knowledge base.
A function is called for the value.  `:same' leaves the value as it is; like
all others, it is what it was after `ai-kb-switch-back'."
  :type '(alist :key-type variable :value-type sexp)
  :group 'ai-kb)

(defcustom ai-kb-profile-hooks
  '(org-after-todo-state-change-hook org-trigger-hook org-after-refile-insert-hook
    org-capture-mode-hook org-capture-before-finalize-hook org-capture-prepare-finalize-hook
    org-capture-after-finalize-hook org-roam-capture-new-node-hook
    org-roam-dailies-find-file-hook)
  "Hooks in which a person's own functions do not run in the knowledge base.
They would put its nodes into personal agendas and journals.  A function stays
if `ai-kb-profile-keep' matches its name."
  :type '(repeat symbol)
  :group 'ai-kb)

(defcustom ai-kb-profile-keep "\\`\\(?:org\\|ai-kb\\)-"
  "Names of functions that stay in `ai-kb-profile-hooks'."
  :type 'regexp
  :group 'ai-kb)

(defcustom ai-kb-profile-commands
  '(("\\`org-roam-dailies-" . nil))
  "Commands that mean personal notes: names or regexps, and what runs instead.
nil stands for nothing: the command says that it is off."
  :type '(alist :key-type (choice symbol regexp) :value-type (choice (const nil) function))
  :group 'ai-kb)

(defvar ai-kb--personal nil
  "What was there before the switch: records that `ai-kb--restore' understands.")

(defun ai-kb-switched-p ()
  "Whether org-roam is in the knowledge base."
  (and ai-kb--personal t))

;; One record for each thing that is replaced: its kind, its name, what was
;; there, and what was put in its place.

(defun ai-kb--wanted (value now)
  "The value that the profile means by VALUE; NOW is the present one."
  (cond ((eq value :same) now)
        ((functionp value) (funcall value))
        (t value)))

(defun ai-kb--replace-variable (name value)
  "Give the variable NAME the VALUE of the profile; the answer is a record."
  (let* ((bound (default-boundp name))
         (before (and bound (default-toplevel-value name)))
         (after (ai-kb--wanted value before)))
    (set-default-toplevel-value name after)
    (list (if bound 'variable 'unbound) name before after)))

(defun ai-kb--replace-hook (name)
  "Leave only functions of org in the hook NAME; the answer is a record."
  (let* ((bound (default-boundp name))
         (before (and bound (default-toplevel-value name)))
         (all (if (functionp before) (list before) before))
         (after (cl-remove-if-not
                 (lambda (each) (and (symbolp each)
                                     (string-match-p ai-kb-profile-keep (symbol-name each))))
                 all)))
    (when bound
      (set-default-toplevel-value name after)
      (list 'hook name before after))))

(defun ai-kb--off (&rest _)
  "Stand in for a command that means personal notes."
  (interactive)
  (user-error "That is about your own notes; `ai-kb-switch-back' leads to them"))

(defun ai-kb--replace-commands (name instead)
  "Let INSTEAD run for each command called NAME; the answer is a list of records."
  (let ((found nil))
    (mapatoms (lambda (each)
                (when (and (commandp each)
                           (if (stringp name)
                               (string-match-p name (symbol-name each))
                             (eq name each)))
                  (push each found))))
    (mapcar (lambda (command)
              (advice-add command :override (or instead #'ai-kb--off))
              (list 'command command nil (or instead #'ai-kb--off)))
            found)))

(defun ai-kb--restore (record)
  "Put back what RECORD says was there."
  (pcase record
    (`(variable ,name ,before ,_) (set-default-toplevel-value name before))
    (`(unbound ,name ,_ ,_) (makunbound name))
    (`(hook ,name ,before ,after)
     ;; What was added meanwhile stays.
     (let* ((now (default-toplevel-value name))
            (added (and (listp now) (cl-set-difference now after :test #'equal))))
       (set-default-toplevel-value
        name (if added (append added (if (functionp before) (list before) before)) before))))
    (`(command ,name ,_ ,after) (advice-remove name after))))

(defun ai-kb--forget-connections ()
  "Close all databases of org-roam: it would use one again for another profile."
  (when (fboundp 'org-roam-db--close-all)
    (org-roam-db--close-all)))

;;;###autoload
(defun ai-kb-switch ()
  "Let org-roam work in the knowledge base, until `ai-kb-switch-back'."
  (interactive)
  (unless (file-directory-p (ai-kb-root))
    (user-error "There is no knowledge base in %s: `ai-kb init' makes one" (ai-kb-root)))
  (unless ai-kb--personal
    (require 'org-id)
    (when (require 'org-roam nil t)
      (require 'org-roam-dailies nil t))
    (ai-kb--forget-connections)
    (setq ai-kb--personal
          (delq nil
                (append
                 (mapcar (lambda (each) (ai-kb--replace-variable (car each) (cdr each)))
                         ai-kb-profile-variables)
                 (mapcar #'ai-kb--replace-hook ai-kb-profile-hooks)
                 (mapcan (lambda (each) (ai-kb--replace-commands (car each) (cdr each)))
                         ai-kb-profile-commands))))
    (ai-kb--note-switch)
    (add-hook 'kill-emacs-hook #'ai-kb-switch-back)
    (when (featurep 'org-roam)
      (ai-kb-db-sync)))
  (force-mode-line-update t)
  (when (called-interactively-p 'any)
    (message "org-roam is in %s" (ai-kb-root))))

;;;###autoload
(defun ai-kb-switch-back ()
  "Let org-roam work in the personal notes again; all is as it was."
  (interactive)
  (when ai-kb--personal
    (ai-kb--forget-connections)
    (mapc #'ai-kb--restore (reverse ai-kb--personal))
    (setq ai-kb--personal nil)
    (remove-hook 'kill-emacs-hook #'ai-kb-switch-back)
    (ignore-errors (delete-file (ai-kb--note-file (emacs-pid)))))
  (force-mode-line-update t)
  (when (called-interactively-p 'any)
    (message "org-roam is in your own notes")))

;; What is noted in case that Emacs is killed

(defun ai-kb--note-file (pid)
  "The file in which the Emacs with number PID notes that it has switched."
  (expand-file-name (format "switched-%d.eld" pid) ai-kb-state-directory))

(defun ai-kb--readable-p (value)
  "Whether VALUE can be read again after it was printed."
  (condition-case nil
      (equal value (car (read-from-string (prin1-to-string value))))
    (error nil)))

(defun ai-kb--note-switch ()
  "Note what was there before the switch."
  (make-directory ai-kb-state-directory t)
  (let ((print-length nil) (print-level nil) (coding-system-for-write 'utf-8))
    (with-temp-file (ai-kb--note-file (emacs-pid))
      (prin1 (cl-remove-if-not
              (lambda (each) (and (memq (car each) '(variable hook)) (ai-kb--readable-p each)))
              ai-kb--personal)
             (current-buffer)))))

(defun ai-kb--reassert (record)
  "Put back what RECORD of a killed Emacs says, where its profile still holds."
  (pcase record
    (`(variable ,name ,before ,after)
     (when (and (default-boundp name) (not (equal before after))
                (equal (default-toplevel-value name) after))
       (set-default-toplevel-value name before)))
    (`(hook ,name ,before ,_)
     (dolist (each (reverse (if (functionp before) (list before) before)))
       (when (and (symbolp each) (fboundp each))
         (add-hook name each))))))

;;;###autoload
(defun ai-kb-assert-personal ()
  "Leave the profile that a killed Emacs may have left behind.
What that Emacs replaced is put back wherever its value has been carried over,
by saved customizations or a saved session."
  (interactive)
  (dolist (file (and (file-directory-p ai-kb-state-directory)
                     (directory-files ai-kb-state-directory t "\\`switched-[0-9]+\\.eld\\'")))
    (let ((pid (string-to-number (substring (file-name-base file) (length "switched-")))))
      (when (or (and (= pid (emacs-pid)) (not ai-kb--personal))
                (and (/= pid (emacs-pid)) (null (process-attributes pid))))
        (with-temp-buffer
          (insert-file-contents file)
          (mapc #'ai-kb--reassert (ignore-errors (read (current-buffer)))))
        (ai-kb--forget-connections)
        (delete-file file)))))

(provide 'ai-kb-profile)
;; Local Variables:
;; checkdoc-verb-check-experimental-flag: nil
;; End:
;;; ai-kb-profile.el ends here
