;;; ai-kb-edit.el --- Nodes are checked and committed when they are saved  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `ai-kb-mode' is on in buffers of nodes.  A save stamps :UPDATED:, and then
;; `ai-kb commit FILE' checks and commits in the background.  What the check
;; refuses stays saved and is not committed; *ai-kb-lint* says why.

;;; Code:

(require 'ai-kb-cli)
(require 'compile)

(defcustom ai-kb-watch-seconds 5
  "How often Emacs looks whether others have changed files that are open.
nil for never: then only `ai-kb sync' tells."
  :type '(choice (const :tag "Never" nil) number)
  :group 'ai-kb)

(defvar ai-kb--in-pipeline nil
  "Non-nil while the package itself writes: what it saves is not committed again.")

(defvar ai-kb--pending nil "Files that were saved and wait to be committed.")
(defvar ai-kb--running nil "The files that are being committed.")
(defvar ai-kb--failed nil "Files that the check refused: an alist of files and findings.")
(defvar ai-kb--watch nil "The timer that looks for outside changes.")
(defvar-local ai-kb--changed-outside nil "Whether somebody changed the file of this modified buffer.")

(defvar ai-kb-commit-hook nil
  "Functions that are called when a commit has ended, with the `ai-kb-answer'.")

;; Which files are nodes

(defun ai-kb-node-file-p (file)
  "Whether FILE is a node of the knowledge base.
What is generated or captured is none."
  (when file
    (let ((root (ai-kb-root)) (whole (file-truename file)))
      (and (string-prefix-p root whole)
           (let ((path (substring whole (length root))))
             (and (string-match-p "\\.org\\'" path)
                  (not (string-match-p
                        "\\(?:\\`\\|/\\)\\(?:raw/\\|\\.\\|index[^/]*\\.org\\'\\)" path))
                  (not (member path '("README.org" "AGENT_CONTRACT.org")))))))))

(defun ai-kb--lighter ()
  "What the mode line says of this buffer."
  (let ((file (and buffer-file-name (file-truename buffer-file-name))))
    (cond (ai-kb--changed-outside " ai-kb:changed-outside")
          ((assoc file ai-kb--failed) " ai-kb:not-committed!")
          ((or (member file ai-kb--pending) (member file ai-kb--running)) " ai-kb:committing")
          (t " ai-kb"))))

;;;###autoload
(define-minor-mode ai-kb-mode
  "Commit this node when it is saved, if it passes the check."
  :lighter (:eval (ai-kb--lighter))
  (cond
   ((and ai-kb-mode (not (ai-kb-node-file-p buffer-file-name)))
    (setq ai-kb-mode nil)
    (when (called-interactively-p 'any)
      (user-error "This is no node of %s" (ai-kb-root))))
   (ai-kb-mode
    (add-hook 'before-save-hook #'ai-kb--stamp nil t)
    (add-hook 'after-save-hook #'ai-kb--after-save nil t)
    (ai-kb--start-watch))
   (t
    (remove-hook 'before-save-hook #'ai-kb--stamp t)
    (remove-hook 'after-save-hook #'ai-kb--after-save t))))

(defun ai-kb--turn-on ()
  "Turn `ai-kb-mode' on if the buffer is a node."
  (when (ai-kb-node-file-p buffer-file-name)
    (ai-kb-mode 1)))

;;;###autoload
(define-globalized-minor-mode ai-kb-global-mode ai-kb-mode ai-kb--turn-on
  :group 'ai-kb)

;; A save

(defun ai-kb--stamp ()
  "Write today into :UPDATED: of the node's drawer."
  (unless ai-kb--in-pipeline
    (save-excursion
      (save-restriction
        (widen)
        (goto-char (point-min))
        (let ((case-fold-search t) (today (format-time-string "%Y-%m-%d")))
          (when (re-search-forward "\\`\\(?:#.*\n\\|[ \t]*\n\\)*[ \t]*:PROPERTIES:[ \t]*\n" nil t)
            (let* ((start (point))
                   (end (and (re-search-forward "^[ \t]*:END:[ \t]*$" nil t) (match-beginning 0))))
              (when end
                (goto-char start)
                (if (re-search-forward "^[ \t]*:UPDATED:[ \t]*\\(.*?\\)[ \t]*$" end t)
                    (unless (equal (match-string 1) today)
                      (replace-match (concat ":UPDATED: " today) t t))
                  (goto-char end)
                  (insert ":UPDATED: " today "\n"))))))))))

(defun ai-kb--after-save ()
  "Have the saved file committed.  Emacs does not wait for it."
  (unless ai-kb--in-pipeline
    (setq ai-kb--changed-outside nil)
    (ai-kb--queue (file-truename buffer-file-name))))

(defun ai-kb--queue (file)
  "Let FILE be committed with whatever else is saved now."
  (cl-pushnew file ai-kb--pending :test #'equal)
  ;; All buffers of one `save-some-buffers' are saved before a timer runs.
  (run-at-time 0 nil #'ai-kb--commit-next))

;; Files that are saved together are committed together, since they may link to
;; each other, and with those that were refused before, for the same reason.  If
;; that is refused, each stands for itself.

(defun ai-kb--commit-next ()
  "Commit what waits, unless a commit is under way."
  (when (and ai-kb--pending (not ai-kb--running))
    (let* ((saved (nreverse ai-kb--pending))
           (refused (cl-set-difference (mapcar #'car ai-kb--failed) saved :test #'equal)))
      (setq ai-kb--pending nil)
      (ai-kb--commit (if (and refused (cdr saved))
                         (list (append saved refused) saved)
                       (list (append saved refused)))
                     saved))))

(defun ai-kb--commit (groups singly)
  "Commit the first of GROUPS, lists of files, that passes the check.
If none does, commit the files in SINGLY, each alone."
  (let ((files (or (car groups) (and singly (list (car singly))))))
    (setq ai-kb--running files)
    (force-mode-line-update t)
    (if (null files)
        (ai-kb--commit-next)
      (ai-kb-start
       ai-kb-program `("commit" ,@files)
       (lambda (answer)
         (let ((ai-kb--in-pipeline t)
               (refused (equal (alist-get 'code (ai-kb-answer-error answer)) "lint")))
           (if (and refused groups (cdr files))
               (ai-kb--commit (cdr groups) singly)
             (ai-kb--committed files answer)
             (ai-kb--commit nil (unless groups (cdr singly))))))))))

(defun ai-kb--committed (files answer)
  "Note what ANSWER says of FILES, and show what was refused."
  (let ((failure (ai-kb-answer-error answer)))
    (setq ai-kb--failed
          (cl-remove-if (lambda (each) (member (car each) files)) ai-kb--failed))
    (if (null failure)
        (unless ai-kb--failed (ai-kb--hide-findings))
      (dolist (file files)
        (push (cons file (or (alist-get 'findings failure) (list failure))) ai-kb--failed))
      (message "ai-kb: not committed: %s" (ai-kb-error-text failure)))
    (when ai-kb--failed (ai-kb--show-findings))
    (run-hook-with-args 'ai-kb-commit-hook answer)))

(defun ai-kb-busy-p ()
  "Whether a saved node is not committed yet, but about to be."
  (or ai-kb--pending ai-kb--running))

;; What the check refused

(defvar ai-kb-lint-regexp '("^\\([^:\n ][^:\n]*\\):\\([0-9]+\\): " 1 2)
  "Where a finding leads, for `next-error'.")

(define-compilation-mode ai-kb-lint-mode "ai-kb-lint"
  "Findings of a check that kept a node from being committed."
  (setq-local compilation-error-regexp-alist (list ai-kb-lint-regexp))
  (setq-local compilation-error-regexp-alist-alist nil))

(defun ai-kb--finding-text (file finding)
  "A line that says FINDING of FILE, and its hint."
  (let ((hint (alist-get 'hint finding)))
    (format "%s:%d: %s%s\n%s"
            (or (alist-get 'path finding) (file-relative-name file (ai-kb-root)))
            (max 1 (or (alist-get 'line finding) 1))
            (if (alist-get 'check finding) (format "[%s] " (alist-get 'check finding)) "")
            (alist-get 'message finding)
            (if (and hint (not (string-empty-p hint))) (concat "  " hint "\n") ""))))

(defun ai-kb--show-findings ()
  "Show what is wrong with the files that were refused; the focus stays."
  (with-current-buffer (get-buffer-create "*ai-kb-lint*")
    (let ((inhibit-read-only t))
      (erase-buffer)
      (setq default-directory (ai-kb-root))
      (insert "Saved, and not committed.  Correct and save again.\n\n")
      (insert (string-join
               (delete-dups
                (cl-loop for (file . findings) in ai-kb--failed
                         append (mapcar (lambda (each) (ai-kb--finding-text file each)) findings)))))
      (ai-kb-lint-mode)
      (goto-char (point-min)))
    (display-buffer (current-buffer) '((display-buffer-reuse-window display-buffer-below-selected)
                                       (inhibit-same-window . t) (window-height . 8)))))

(defun ai-kb--hide-findings ()
  "Take the findings away: there are none any more."
  (let ((buffer (get-buffer "*ai-kb-lint*")))
    (when buffer
      (dolist (window (get-buffer-window-list buffer nil t))
        (ignore-errors (quit-window nil window)))
      (kill-buffer buffer))))

;; What others change

(defun ai-kb--buffers ()
  "The buffers of nodes."
  (cl-remove-if-not (lambda (each) (buffer-local-value 'ai-kb-mode each)) (buffer-list)))

(defun ai-kb-look ()
  "Revert nodes that others have changed; warn where the buffer is modified too."
  (interactive)
  (dolist (buffer (ai-kb--buffers))
    (with-current-buffer buffer
      (unless (or (verify-visited-file-modtime buffer) (not (file-exists-p buffer-file-name)))
        (cond
         ((not (buffer-modified-p))
          (let ((ai-kb--in-pipeline t))
            (revert-buffer t t t)
            (message "ai-kb: %s was changed by others and is read again" (buffer-name))))
         ((not ai-kb--changed-outside)
          (setq ai-kb--changed-outside t)
          (force-mode-line-update)
          (display-warning
           'ai-kb (format "%s: others have changed the file of this modified buffer.  %s"
                          (buffer-name)
                          "M-x ediff-current-file shows what they did."))))))))

(defun ai-kb-files-changed (root)
  "Take notice that files in ROOT were changed: `ai-kb sync' calls this."
  (when (equal (ai-kb-root) (file-name-as-directory (file-truename root)))
    (ai-kb-look)
    (run-hooks 'ai-kb-files-changed-hook)
    t))

(defvar ai-kb-files-changed-hook nil
  "Functions that are called when a sync has changed files.")

(defun ai-kb--start-watch ()
  "Look for outside changes from now on."
  (when (and ai-kb-watch-seconds (not ai-kb--watch))
    (setq ai-kb--watch
          (run-at-time ai-kb-watch-seconds ai-kb-watch-seconds #'ai-kb--look-or-rest))))

(defun ai-kb--look-or-rest ()
  "Look for outside changes; rest while no node is open."
  (if (ai-kb--buffers)
      (ai-kb-look)
    (cancel-timer ai-kb--watch)
    (setq ai-kb--watch nil)))

(provide 'ai-kb-edit)
;; Local Variables:
;; checkdoc-verb-check-experimental-flag: nil
;; End:
;;; ai-kb-edit.el ends here
